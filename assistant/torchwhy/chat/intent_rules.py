"""The sentences that ask something of a thread, as patterns, in English and Chinese.

A rule is (intent, {example: alternative}): each alternative of its pattern stands beside a sentence that it
reads. The first rule that matches the whole sentence wins, so the order matters. `{IT}` and `{THE}` stand for
the parts below; a named group holds what the sentence is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

IT = (
    r"(?:it|this|that|them|those|this one|that one|"
    r"(?:the|this|that|my) (?:error|problem|issue|bug|thing|message|warning|failure|crash|mistake))"
)
THE = r"(?:the |my |a |an |our )?"

# Words before a sentence that ask nothing: "ok, so show me the code", "那怎么解决".
LEADING_WORDS = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|but|hm+|well|great|hi|hey|please|yes|right|now|alright|oh|ah|then"
    r"|sorry|also|actually|sure|just|simply|thanks|thank you|can you|could you|would you)\b[,.! ]*"
    r"(?=\w)|(?:那么|那就|那|嗯|好的|好吧|请问|请你|请|麻烦你|麻烦|所以|但是|不过|另外|然后|可是"
    r"|哦|啊)[，,。 ]*(?=\S))+",
    re.IGNORECASE,
)
# Signs and words behind one: "why exactly?".
TRAILING_WORDS = re.compile(
    r"(?:[\s?？!！.。~…,，]|\b(?:please|then|though|exactly|again|anyway)\b)+$",
    re.IGNORECASE,
)
# Behind what a sentence names: "what about Windows too".
TRAILING_TOO = re.compile(
    r"\s+(?:too|as well|also|either)$",
    re.IGNORECASE,
)

RULES: tuple[tuple[str, Mapping[str, str]], ...] = (
    # which language
    (
        "chinese",
        {
            "in Chinese": (
                r"(?:(?:use|speak|write|say it|answer|reply|switch|translate(?: it| that)?)? ?"
                r"(?:in|to|into)? ?(?:chinese|中文|汉语))"
            ),
            "用中文": (
                r"(?:用|说|讲|改用|改成|换成|切换到|切换成|翻译成)?(?:中文|汉语|简体中文)"
                r"(?:说|回答|回复|解释|讲)?(?:一下|吧|一遍|可以吗|吗|版)?"
            ),
        },
    ),
    (
        "english",
        {
            "in English please": (
                r"(?:(?:use|speak|write|say it|answer|reply|switch|translate(?: it| that)?)? ?"
                r"(?:in|to|into)? ?(?:english|英文|英语))"
            ),
            "用英文": (
                r"(?:用|说|讲|改用|改成|换成|切换到|切换成|翻译成)?(?:英文|英语)(?:说|回答|回复|解释|讲)?"
                r"(?:一下|吧|一遍|可以吗|吗|版)?"
            ),
        },
    ),
    (
        "again",
        {
            "can you say that again?": r"(?:repeat|say)(?: (?:me )?{IT})?",
            "what did you say?": r"what did you say",
            "pardon me?": r"pardon(?: me)?",
            "再说一遍": r"(?:再|重复)(?:说|讲|来|发)?一?(?:遍|次|下)(?:吧)?",
        },
    ),
    # the machine, the releases and the consequences, before what only names something
    (
        "machine",
        {
            "check my machine": (
                r"(?:(?:check|look at|inspect|examine|read|use|show|show me|see|scan|test|what about"
                r"|how about) )?(?:my|this) (?:machine|computer|system|hardware|gpus?|set-?up|environment"
                r"|driver|box|server)(?:'s)?(?: (?:facts?|first|say|tell you|for {IT}))*"
            ),
            "what GPU do I have?": (
                r"(?:what|which) (?:gpus?|card|driver|cuda|torch|pytorch|hardware|machine"
                r"|(?:torch|pytorch|cuda|driver) version|version of (?:torch|pytorch|cuda)) "
                r"(?:do i have|have i|am i (?:on|using|running)|is (?:this|here|it|installed))"
                r"(?: installed| here)?"
            ),
            "what does my machine say?": r"what does my (?:machine|system|gpu) (?:say|tell)(?: you)?",
            "is it my machine?": (
                r"(?:is|could|can) (?:it|this|that) (?:be )?(?:because of |due to )?(?:my|this) "
                r"(?:machine|computer|hardware|system|set-?up|server)(?:'s fault)?"
            ),
            "facts of this machine": r"(?:machine )?facts(?: of (?:my|this) machine)?",
        },
    ),
    (
        "machine",
        {
            "看看我的机器": (
                r"(?:看看|看一下|看下|看|查看|查一下|查|检查|检查一下|读取|分析一?下?)(?:我的?|这台|本)"
                r"(?:机器?|电脑|系统|硬件|显卡|环境|GPU|驱动|服务器)(?:的?(?:情况|信息|配置|状态|事实))?"
                r"(?:吧|吗|呢)?"
            ),
            "我用的是什么显卡": (
                r"我(?:的|用的是?|有)?(?:是)?(?:什么|哪种|哪块|多大的?)(?:显卡|GPU|驱动|显存).{0,3}"
            ),
            "是不是我的机器有问题": (
                r"(?:是不是|会不会是|是)(?:我的?|这台)(?:机器|电脑|硬件|环境|显卡|服务器)(?:的问题|有问题)?"
                r"(?:吗|么)?"
            ),
            "本机情况": r"本机(?:的)?(?:情况|信息|事实|配置)",
        },
    ),
    (
        "release",
        {
            "does this happen in 1.13?": (
                r"(?:does|will|would|did|do|is|was) {IT} (?:also |still |already |even )?"
                r"(?:happen|occur|fail|apply|exist|there|the same|hold|work|true|present|possible)?"
                r"(?:ing|s)?(?: too)? ?(?:in|on|with|under|for|since|before|after) "
                r"(?:(?:the )?(?:pytorch|torch|version|release) )*v?(?P<rel>\d+\.\d+(?:\.\d+)?)"
                r"(?: too| as well)?"
            ),
            "in 0.4 too?": (
                r"(?:also )?(?:in|on|with|under) (?:(?:pytorch|torch|version|release) )*v?"
                r"(?P<rel4>\d+\.\d+(?:\.\d+)?)(?: too| as well| also)?"
            ),
            "how about torch 2.4?": (
                r"(?:what|how) about (?:(?:pytorch|torch|version|release) )*v?(?P<rel2>\d+\.\d+(?:\.\d+)?)"
            ),
            "torch 1.13.1+cu117": (
                r"(?:i(?:'m| am)? )?(?:on|use|using|have|run|running)? ?(?:pytorch|torch) ?v?"
                r"(?P<rel3>\d+\.\d+(?:\.\d+)?)(?:\+\w+)?"
            ),
            "which version fixes it?": (
                r"(?:in |since |with |from )?(?:which|what) (?:torch |pytorch )?(?:version|release)s?"
                r"(?: of (?:torch|pytorch))?(?: (?:fix|ha[sv]|is|are|do|should|show|need|can|was|were|will"
                r"|did)\w*.{0,30})?"
            ),
            "is it fixed in a newer release?": (
                r"(?:is|was|has) {IT} (?:been )?(?:fixed|solved|gone|mended) in (?:a |the |any )?"
                r"(?:newer|later|latest|new|recent).{0,20}"
            ),
            "would upgrading torch help?": (
                r"(?:does|would|will|can|could|should i|do i have to|do i need to|must i) ?"
                r"(?:an? |the |i )?(?:up|down)grad(?:e|ing)(?: (?:torch|pytorch))?(?: to .{1,12})?"
                r"(?: (?:help|fix|solve|cure)(?: {IT})?)?"
            ),
            "is it the torch version?": (
                r"is {IT} (?:because of |due to )?(?:the |my )?(?:torch |pytorch )?(?:version|release)"
                r"(?: problem| issue)?"
            ),
        },
    ),
    (
        "release",
        {
            "1.13 也会这样吗": (
                r"(?:在|用|我用的?是?)? ?(?:pytorch|torch)? ?v?(?P<rel>\d+\.\d+(?:\.\d+)?) ?(?:版本?)?"
                r"(?:里|上|下|中)?(?:也|还|是否|会不会|有没有)*(?:会|有|是)?"
                r"(?:这样|出现|报错|出错|发生|这个?问题|一样|的问题|呢)(?:吗|么|呢)?"
            ),
            "我用的是 torch 2.1": (
                r"(?:我|我们)(?:的|用的?)?是? ?(?:pytorch|torch)? ?v?(?P<rel2>\d+\.\d+(?:\.\d+)?)(?:版本?)?"
            ),
            "从哪个版本开始的": (
                r"(?:是|从|在)?(?:哪|什么)(?:一个|个|些|一)?(?:torch|pytorch)?(?:的)?版本.{0,10}"
            ),
            "升级能解决吗": (
                r"(?:需要|要|该|应该)?(?:升级|降级|更新|换个?版本)(?:一下)?(?:torch|pytorch)?"
                r"(?:到 ?[\d.]+)?(?:能|可以|会|就)?(?:解决|有用|好|行)?(?:吗|么|呢)"
            ),
            "是版本问题吗": (
                r"(?:是不是|是|跟|和)?(?:torch|pytorch)?的?版本(?:的)?(?:问题|有关系?)(?:吗|么)?"
            ),
        },
    ),
    (
        "release",
        {
            "is it a bug in pytorch?": (
                r"(?:is|was|isn'?t|could|can|might|may) {IT}(?: be)? (?:really |just |maybe |actually )?"
                r"(?:an? )?(?:known )?(?:pytorch |torch |cuda |cudnn |nvidia )?"
                r"(?:bug|regression|defect|known issue)"
                r"(?: (?:in|of|with|by) (?:pytorch|torch|cuda|cudnn|nvidia|the (?:library|framework)"
                r"|my (?:code|program)).{0,30})?"
            ),
            "is this my fault or pytorch's": (
                r"(?:is|was) {IT} (?:my|pytorch'?s|torch'?s) (?:own )?(?:fault|mistake|bug|error)"
                r"(?: or .{1,30})?"
            ),
            "whose fault is it?": r"whose (?:fault|bug|mistake) (?:is|was) {IT}",
            "does it happen on CPU too?": (
                r"(?:does|will|would|did) {IT} (?:also |only )?(?:happen|occur|fail|appear) "
                r"(?:also |only |too )?on (?:the |a )?cpus?(?: too| as well| also)?"
            ),
            "since when?": (
                r"(?:since when|(?:when|in which (?:version|release)) (?:was|did) {IT} (?:introduced|start"
                r"|begin|appear)(?: to .{1,20})?|(?:what|which) (?:version|release) (?:introduced|started"
                r"|broke) {IT})"
            ),
        },
    ),
    (
        "release",
        {
            "这是 PyTorch 的 bug 吗": (
                r"(?:这|它|这个|那|这是|会不会|是不是|难道|到底|究竟|是|算)*"
                r"(?:pytorch|torch|cuda|cudnn|框架|官方| )*(?:自己|本身)? ?(?:的)? ?(?:bug|缺陷|漏洞) ?"
                r"(?:吗|么|吧|呢)?"
            ),
            "这是谁的锅": (
                r"(?:这|它|到底|究竟)?(?:是|算)?(?:我|谁|pytorch|torch) ?(?:的|自己的)?(?:错|锅|责任)"
                r"(?:吗|么|呢|还是.{1,16})?"
            ),
            "从什么时候开始的": r"(?:是)?从?(?:什么时候|哪个版本)(?:开始|引入)的?.{0,6}",
        },
    ),
    (
        "serious",
        {
            "is it serious?": (
                r"(?:is {IT}|how) (?:very |really |that |so |actually )?(?:serious|bad|severe|dangerous"
                r"|harmful|critical|important|urgent|harmless|safe|a big deal|a (?:real |serious )?problem)"
                r"(?: is {IT})?"
            ),
            "can I just ignore it?": (
                r"(?:is it (?:ok|okay|safe|fine) to |(?:can|could|may|should|do|shall) (?:i|we) "
                r"(?:just |simply |safely )?)ignore {IT}"
            ),
            "just ignore it?": r"(?:just )?ignore {IT}",
            "does it affect accuracy?": (
                r"(?:does|do|will|would|can|could) {IT} (?:really |also |even )?"
                r"(?:matter|hurt(?: .{1,20})?|(?:crash|affect|influence|change|break|harm|corrupt|slow|stop"
                r"|ruin|kill|lose) .{1,30})"
            ),
            "what happens if I ignore it?": (
                r"what (?:happens|would happen)(?: if i (?:just )?(?:ignore|do nothing about|leave) {IT})"
            ),
            "what are the consequences?": r"what are the consequences(?: of {IT})?",
            "do I have to fix it?": r"do i (?:have|need) to (?:fix|worry about|care about) {IT}",
            "should I worry about it?": r"(?:should|must) i (?:worry|care|be worried)(?: about {IT})?",
            "are my results still valid?": (
                r"(?:are|is) (?:my |the )?(?:results?|training|model|accuracy|weights|numbers) (?:still )?"
                r"(?:ok|okay|right|correct|valid|wrong|affected|fine|usable)"
            ),
            "is this just a warning?": r"is {IT} (?:just |only )?a warning",
        },
    ),
    (
        "serious",
        {
            "严重吗": (
                r"(?:这|这个|它|问题|后果|影响)?(?:个)?(?:问题)?(?:很|有多|有没有)?"
                r"(?:严重|要紧|危险|碍事|影响大|有影响|有害)(?:吗|么|不|呢|不严重)?"
            ),
            "可以忽略吗": (
                r"(?:这个?|它)?(?:可以|可不可以|能|能不能|是否可以|我能)?(?:直接)?(?:忽略|不管|无视|不理)"
                r"(?:它|这个|掉)?(?:吗|么|呢|行吗|可以吗)"
            ),
            "会影响精度吗": r"(?:这个?|它)?(?:会不会|是否会?|会)影响.{1,12}?(?:吗|么|呢)?",
            "有什么影响吗": r"有(?:什么|啥)?(?:影响|后果|危害)(?:吗|呢)?",
            "不管它会怎样": r"(?:如果)?不(?:管|修|改)(?:它)?会(?:怎样|怎么样|如何|有什么后果).{0,4}",
            "必须修吗": r"(?:必须|一定要)(?:修|改|解决)(?:吗|么)?",
        },
    ),
    # other fixes, before other causes
    (
        "failed",
        {
            "and if that doesn't help?": (
                r"(?:what )?(?:if|when) {IT} (?:still |also )?(?:doesn'?t|does not|didn'?t|did not|won'?t"
                r"|fails|failed) ?(?:help|work|fix (?:it|anything)|solve it|do it|change anything"
                r"|be enough)?(?: either)?"
            ),
            "is there an easier way?": (
                r"(?:is there |are there |any |an? )+(?:easier|simpler|better|quicker|faster|cleaner|nicer"
                r"|different) (?:ways?|fix(?:es)?|solutions?|options?|workarounds?|methods?)"
                r"(?: (?:to|of) .{1,20})?"
            ),
            "it doesn't work": (
                r"(?:{IT} )?(?:still )?(?:doesn'?t|does not|didn'?t|did not|won'?t|don'?t) (?:really )?"
                r"(?:work|help|fix (?:it|anything)|solve (?:it|anything)|change anything)"
                r"(?: for me| either| at all)?"
            ),
            "it still crashes": (
                r"(?:it |i )?still (?:get |the |have |see |gives |fails |crashes |happens |not |an? |broken"
                r"|failing|says |shows )?.{0,30}"
            ),
            "I already tried that": (
                r"i(?:'ve| have)? (?:already )?(?:tried|did|done) {IT}(?: already)?"
                r"(?:,? (?:and|but) .{0,40})?"
            ),
            "I tried everything": (
                r"i(?:'ve| have)? (?:already )?(?:tried|done) (?:everything|all of (?:that|it|them)"
                r"|all that|both)(?:,? (?:and|but) .{0,40})?"
            ),
            "no luck": r"(?:no luck|same error|not working|no effect|no difference)",
            "what else can I try?": r"what else can i (?:do|try)",
            "any other fixes?": (
                r"(?:is there |are there |any |another |other )+(?:other |another )?"
                r"(?:fix(?:es)?|ways?|solutions?|workarounds?|remed(?:y|ies))(?: to (?:fix|solve) it)?"
            ),
        },
    ),
    (
        "failed",
        {
            "如果还不行呢": (
                r"(?:那)?(?:如果|要是|万一|假如)(?:这样|它|这个|这些|还是|还|都|也|仍然)*"
                r"(?:不行|没用|不管用|不起作用|没效果|没有效果|解决不了|失败)(?:了)?(?:的话)?"
                r"(?:呢|怎么办|咋办)*"
            ),
            "有没有更简单的办法": (
                r"(?:有没有|有|还有|还有没有)(?:更|比较)(?:简单|好|快|省事|方便|优雅|稳妥)(?:一点|点|些)?"
                r"(?:的)?(?:办法|方法|方案|做法|写法)?(?:吗|么|呢)?"
            ),
            "还是不行": (
                r"(?:我?(?:试了|试过|改了|加了|这样做了|照做了).{0,10}[，, ]?)?(?:结果|但)?"
                r"(?:还是|依然|仍然|照样|仍)(?:不行|报错|一样|出错|失败|没用|这样|如此|有问题).{0,6}"
            ),
            "我试过了": r"我?试过了?",
            "没用": r"没有?(?:用|效果|解决|作用)",
            "不管用": r"不管用",
            "不起作用": r"不起作用",
            "还能试什么": r"还能(?:试|做)什么",
            "还有别的办法吗": (
                r"(?:还有|有没有|有|还有没有)?(?:别的|其他|其它|另外的?)(?:的)?"
                r"(?:办法|方法|解决办法|解决方法|方案|修法)(?:吗|么|呢)?"
            ),
        },
    ),
    (
        "others",
        {
            "what are other possible causes?": (
                r"(?:(?:is|are|could|can|might) (?:there |it |this )?(?:be )?)?"
                r"(?:any|some|what|which|what are|list|show me|show|give me|tell me)? ?(?:the |all )?"
                r"(?:other|another|more|further|possible|alternative) (?:\w+ )?"
                r"(?:reasons?|causes?|possibilit(?:y|ies)|options?|explanations?|candidates?|ideas?"
                r"|suspects?|diagnos[ie]s|entries)"
            ),
            "what else could it be?": (
                r"what else"
                r"(?: (?:could|can|might|may) (?:it|this|that|cause it|be the (?:cause|reason|problem)"
                r"|cause (?:it|this|that))(?: be)?| is (?:there|possible))?"
            ),
            "anything else it could be?": (
                r"(?:any|some)thing else(?: (?:it )?(?:could|can|might) (?:it )?be)?"
            ),
            "could it be something else?": (
                r"(?:could|can|might) (?:it|this|that) be (?:something|anything) else"
            ),
            "show me the candidates": (
                r"(?:list |show |show me )?(?:the )?(?:candidates|alternatives|look-?alikes|suspects)"
            ),
        },
    ),
    (
        "others",
        {
            "and the other one?": r"(?:what about )?the other (?:one|entry|candidate|possibility)s?",
            "另一个呢": r"另(?:外)?一个(?:呢)?",
        },
    ),
    (
        "others",
        {
            "还有别的原因吗": (
                r"(?:还|有没有|还有没有|还有|是否有|有|会不会是|会不会有)?(?:别的|其他的?|其它的?|另外的?)"
                r"(?:原因|可能|可能性|情况|解释|问题|候选)?(?:吗|么|呢|导致的?)?"
            ),
            "还可能是什么原因": r"还(?:可能|会|能)是?(?:什么|别的|因为什么)(?:原因|问题)?(?:吗|呢)?",
            "还有什么可能": r"还有(?:什么|哪些|没有)?(?:原因|可能|可能性|情况)?(?:吗|么|呢)?",
            "候选": r"(?:列出|看看|看)?(?:候选|备选|其他候选)(?:项)?",
        },
    ),
    (
        "not_that",
        {
            "no": r"(?:no|nope|nah)",
            "hm, that's not my error": (
                r"(?:no,? )?(?:it'?s |it is |that'?s |that is |this is |definitely |certainly )?not "
                r"(?:that|this|it|the (?:problem|cause|one|issue|reason|case|right one)|right|correct"
                r"|my (?:problem|case|error|issue|bug|situation))(?: one)?"
            ),
            "this can't be it": (
                r"(?:no,? )?{IT} (?:isn'?t|is not|can'?t be|cannot be|is certainly not) "
                r"(?:it|that|this|right|correct|the (?:problem|cause|one|issue|reason|case|right one)"
                r"|my (?:problem|case|error))"
            ),
            "that's wrong": (
                r"(?:no,? )?(?:that'?s |this is |that is |it'?s |you'?re |you are )?"
                r"(?:wrong|incorrect|something else|mistaken)(?: one| answer| diagnosis)?"
            ),
            "the next one": r"(?:the )?(?:next|another)(?: one| candidate)?",
            "I don't think so": r"i don'?t think so",
            "that doesn't fit": r"{IT} (?:doesn'?t|does not) (?:fit|match|apply|sound right)(?: here)?",
        },
    ),
    (
        "not_that",
        {
            "不是这个": (
                r"(?:我觉得|我看|好像|应该|肯定)?(?:不|不是|不对|错了|都不是|不是这个|不是它|这个不对"
                r"|不是这个原因|不是这个问题|并不是|不符合|不像|不是这样|不是那个)(?:的|吧|啊|了)?"
                r"(?:[，, ]?(?:换一个|下一个|再看看))?"
            ),
            "换一个": r"换一个",
            "下一个": r"下一个",
            "换个答案": r"换个(?:答案|候选)?",
        },
    ),
    (
        "prove",
        {
            "prove it": (
                r"(?:prove|verify|confirm|reproduce|demonstrate|test) ?{IT}?(?: to me| for me)?"
                r"(?: here| on (?:my|this) machine| please)?"
            ),
            "show me the proof": r"(?:show me |give me |i want |is there )?(?:a |the |some |any )?proof",
            "run the repro": r"run (?:{IT}|the (?:repro|script|proof|reproducer))(?: here| now)?",
            "prove": r"prove",
        },
    ),
    (
        "prove",
        {
            "证明一下": (
                r"[请你能可以给我来在本机这里台机器上一下]*(?:证明|验证|复现|重现|演示)"
                r"(?:一下|给我看|看看|看|它|这个|吗|下|可以吗|这一点)*"
            ),
            "跑一下试试": r"(?:跑|运行)(?:一下|下)?(?:脚本|它|复现|repro)?(?:试试|看看)?",
            "确认一下": r"确认一下",
            "口说无凭": r"口说无凭",
        },
    ),
    (
        "repro",
        {
            "脚本给我": r"(?:把)?(?:复现)?(?:的)?脚本(?:发)?(?:给我|发我|贴出来|在哪里?)",
            "show me the repro": (
                r"(?:show me|show|what does|where is|give me|see|read|view)? ?(?:me )?(?:the |a |your )?"
                r"(?:repro|reproducer|repro script|script|reproduction|minimal example)(?:'s)?"
                r"(?: source| code| script| do| run| look like)*"
            ),
            "看看脚本": (
                r"[请给我看一下来段个让能贴]*(?:复现|演示|验证|重现)?(?:的)?"
                r"(?:脚本|repro|最小例子|最小复现)(?:的)?(?:源码|代码|源代码|内容|是什么|长什么样|看看|呢"
                r"|给我看看)*"
            ),
            "复现代码": r"复现代码",
        },
    ),
    (
        "code",
        {
            "ok, show me the code": (
                r"(?:show|give|write|send|see|can i (?:see|have|get)|let me see|i (?:want|need) "
                r"(?:to see)?)? ?(?:me )?(?:the |some |a |an |any )?(?:fixed |corrected |right |correct "
                r"|full |working )?(?:code|examples?|snippet|code example|code snippet|sample)(?: for| of)?"
                r"(?: {IT}| the fix)?"
            ),
            "what does the fixed code look like?": (
                r"what does (?:{IT}|the fix|the code|the fixed code) look like(?: in code)?"
            ),
            "how would the fix look in code?": (
                r"how (?:does|would|should|do) (?:{IT}|the fix|i write (?:it|that)) (?:look )?(?:in code)?"
            ),
            "do you have an example?": (
                r"(?:do you have|is there|any) (?:an |a |some )?(?:code|example|snippet|sample)"
            ),
            "how do I write it?": r"how (?:do|should|would) i (?:write|code) (?:it|that|this)",
            "in code?": r"in code",
        },
    ),
    (
        "code",
        {
            "can you fix my code?": (
                r"(?:fix|change|correct|edit|rewrite|patch|mend) (?:my|the) (?:code|script|program|file)"
                r"(?: for me)?"
            ),
            "where should I put it?": (
                r"where (?:should|do|does|must|can|would) (?:i|it|this|that) (?:put|add|insert|write|place"
                r"|go)(?: {IT})?"
            ),
            "帮我改一下代码": r"帮我(?:改|修|修改)(?:一下|下)?(?:代码|程序|脚本)?",
            "应该加在哪里": r"(?:这个?|它)?(?:应该|该|要)?(?:加|写|放)(?:在|到)?(?:哪里?|哪儿|什么地方)",
        },
    ),
    (
        "code",
        {
            "有代码吗": (
                r"[请给我看一下来段个有没让能贴写示范的修正改后正确完整你把出具体]*(?:代码|示例|例子|样例)"
                r"(?:怎么写|怎么改|是什么|吗|呢|有吗|看看|给我|看一下|长什么样|是怎样的|该怎么写|要怎么写)*"
            ),
            "怎么写": r"怎么写",
        },
    ),
    (
        "fix",
        {
            "how can I avoid it in the future?": (
                r"(?:how|what) (?:(?:do|can|should|could|would|must|might|shall) (?:i|we|you|one) |to )?"
                r"(?:(?:best )?(?:do|fix|solve|resolve|repair|correct|mend|change|avoid|prevent|work around"
                r"|cure|handle|get rid of|stop|make))(?: with| about| of| around)?(?: {IT})?"
                r"(?: work| here| now| in my (?:code|case|program)| properly| instead| in (?:the )?future"
                r"| next time| from now on)?"
            ),
            "what's the solution?": (
                r"(?:what'?s |what is |show me |give me |tell me |is there |any |do you have )?"
                r"(?:the |a |any |an )?(?:fix|solution|cure|remedy|workaround|answer)"
                r"(?: for {IT}| to {IT})?"
            ),
            "fix it": r"fix {IT}",
            "can it be avoided?": r"(?:can|could) (?:it|this|that) be (?:fixed|avoided|solved|prevented)",
            "how is it solved?": r"how (?:is|was) (?:it|that|this) (?:fixed|solved)",
            "what now?": r"what now",
            "now what?": r"now what",
            "tell me how to fix it": r"(?:tell me |show me )?how to fix {IT}",
            "What should I do?": r"what should i (?:change|do)(?: first)?",
            "what number should in_features be?": (
                r"(?:what|which) (?:number|value|size|shape|dtype|type|device|figure)s? "
                r"(?:should|must|does|do|has to|shall) "
                r"(?:(?:{IT}|[a-z]+[_.][\w.]{1,40}) (?:be|have|get|take|need)"
                r"|i (?:use|set|put|write|take|pass))(?: (?:here|there))?"
            ),
        },
    ),
    (
        "fix",
        {
            "那怎么解决？": (
                r"(?:我|这|这个|它|该|那|这种|此)?(?:个)?(?:问题|错误|报错|情况|错)?"
                r"(?:我|要|该|应该|应当|需要|具体|到底)*(?:怎么|如何|怎样|咋)(?:去|来|才能)?"
                r"(?:修|改|修复|修改|修正|解决|处理|办|弄|做|避免|防止|搞|整|搞定)"
                r"(?:它|这个|这个问题|好|掉|一下|呢|啊|才行|才好|才对)*"
            ),
            "有解决办法吗": (
                r"(?:有(?:什么)?|给个|说说)?(?:解决|修复|处理)(?:的)?(?:办法|方法|方案|思路|方式)?"
                r"(?:是什么|吗|呢|有吗)?"
            ),
            "怎么办": r"(?:怎么|咋)办(?:呢|啊)?",
            "以后怎么避免": (
                r"(?:以后|今后|下次|将来)(?:该|要|应该|我)?(?:怎么|如何|怎样)(?:才能)?(?:避免|预防|防止)"
                r".{0,8}"
            ),
            "怎么预防": r"怎么预防.{0,4}",
            "要改什么": r"要改(?:什么|哪里)",
            "in_features 应该填多少": (
                r"(?:那|这里的?|我的?)?(?:[a-z]+[_.][\w.]{1,40})? ?(?:应该|该|要|需要|得)"
                r"(?:是|填|设|设成|设为|改成|写|写成|取)?多少(?:呢|啊|才对)?"
            ),
        },
    ),
    (
        "check",
        {
            "how do I debug it?": (
                r"how (?:do|can|could|would|should) (?:i|we) (?:check|tell|know|be sure|be certain"
                r"|make sure|verify|confirm|test|find out|find|locate|debug|trace|track down|narrow down"
                r"|pin down|diagnose|see)(?: {IT})?(?: down)?"
                r"(?: for sure| (?:whether|if|that) (?:it|that|this)(?: is|'s)?"
                r"(?: (?:it|this|that|so|true|really|the (?:cause|problem|reason)))*)?"
            ),
            "How to check it": (
                r"how to (?:check|verify|tell|confirm|test|diagnose|debug|find|locate)(?: {IT})?"
            ),
            "is there a way to check?": (
                r"is there (?:a |an |any )?(?:good |easy |quick |simple )?(?:way|method|tool) to "
                r"(?:check|tell|know|verify|test|find|debug|see|locate)(?: {IT})?(?: out)?"
            ),
            "which tensor?": (
                r"which (?:tensor|layer|parameter|variable|operation|op|module|sample|batch|rank|worker"
                r"|process)(?: is (?:it|that|wrong)| exactly| causes {IT})?"
            ),
            "what should I print first?": (
                r"(?:what|where) (?:should|can|could|do) i (?:check|look|print|test|measure|inspect)"
                r"(?: at| for| into)?(?: first| next)?"
            ),
            "check": r"(?:the )?check",
            "ok I did that, now what?": (
                r"i(?:'ve| have)? (?:did|done|tried|changed|applied|made) {IT}(?: change)?,? (?:and )?"
                r"(?:now what|what now|what(?:'s| is)? next|now)"
            ),
            "what's next?": r"what(?:'s| is| comes)? next",
            "next step": r"next step",
        },
    ),
    (
        "check",
        {
            "怎么确认是这个": (
                r"(?:我|该|要|应该)*(?:怎么|如何|怎样)(?:才能)?(?:确认|判断|检查|验证|知道|排查|确定|测试"
                r"|诊断|核实|定位|调试|找到|找出来|找|查)(?:是不是|就是|是|到底)?"
                r"(?:它|这个|这个问题|这个原因|真的|这一点|问题)*(?:呢)?"
            ),
            "先检查什么": r"(?:该|要|先|应该|我)*(?:检查|排查|看)(?:什么|哪里|哪些|啥)",
        },
    ),
    (
        "sure",
        {
            "are you sure?": r"(?:are )?you (?:really |quite |very |so )?(?:sure|certain)(?: about {IT})?",
            "how sure are you?": (
                r"how (?:sure|certain|confident|likely)(?: are you| is (?:it|that|this))?(?: about {IT})?"
            ),
            "really?": r"really",
            "how do you know?": r"how do you know(?: {IT})?",
            "what makes you think that?": (
                r"what (?:speaks for|makes you think|makes you say|is the evidence for|tells you) ?"
                r"(?:{IT}|so)?"
            ),
            "what's the probability?": r"what(?:'s| is) the (?:evidence|probability|confidence|likelihood)",
            "why do you think so?": r"why do you (?:think|say|believe) (?:so|that|it|this)",
            "evidence": r"evidence",
        },
    ),
    (
        "sure",
        {
            "你确定吗": r"你?(?:真的)?(?:确定|肯定|有把握)(?:吗|么|是这个吗|是它吗)?",
            "你有多大把握": r"你?(?:有)?(?:多大|多少)(?:的)?把握",
            "把握有多大": r"把握(?:有)?多(?:大|少)",
            "依据是什么": r"(?:你的)?(?:依据|根据|证据)(?:是什么|呢)?",
            "凭什么这么说": r"凭什么.{0,6}",
            "你怎么知道的": r"(?:你)?(?:是)?怎么知道的?",
            "真的吗": r"真的(?:吗|假的|么)",
            "概率是多少": r"概率(?:是|有)?多(?:少|大)",
            "有什么依据吗": r"有什么(?:依据|证据|根据)(?:吗)?",
        },
    ),
    (
        "which",
        {
            "what's the difference between the two?": (
                r"what(?:'s| is| are) the differences?(?: between (?P<which>.+))?"
            ),
            "how do they differ?": (
                r"how (?:is|does|do) (?:it|this|that|they) differ(?:ent)?(?: from (?P<which2>.+))?"
            ),
            "how do I tell them apart?": (
                r"how (?:do|can|should) i (?:tell|distinguish|separate) (?:them|the two|these|these two"
                r"|those)(?: apart)?"
            ),
            "how to tell them apart": r"how to tell (?:them|the two) apart",
            "which of the two is it?": r"which (?:one |of (?:them|the two|these) )?is it",
            "which one?": r"which (?:one|of (?:them|the two|these))",
        },
    ),
    (
        "check",
        {
            "哪个张量的问题": (
                r"(?:是|到底是|究竟是)?(?:哪一?个|哪些)(?:张量|变量|参数|层|样本|进程|批次|模块)"
                r"(?:的问题|有问题|呢|出错)?"
            ),
        },
    ),
    (
        "which",
        {
            "它们有什么区别": (
                r"(?:它们|这两个|两者|这两种|二者)?(?:之间)?(?:有什么|有何|什么|的)?(?:区别|不同|差别|差异)"
                r"(?:是什么|在哪里?|吗|呢)?"
            ),
            "怎么区分它们": r"(?:怎么|如何|怎样)(?:区分|分辨|区别)(?:它们|这两个|两者|这两种|二者|开)?",
            "到底是哪个": r"到底是哪一?个",
            "究竟是哪个": r"(?:究竟)?是哪一?个",
            "跟显存碎片有什么区别": r"(?:跟|和|与)(?P<which>.+?)(?:有什么|有何|的)(?:区别|不同|差别)",
        },
    ),
    (
        "source",
        {
            "source?": (
                r"(?:what(?:'s| is| are) |show me |give me )?(?:the |your |any |a )?"
                r"(?:sources?|references?|docs?|documentation|links?|citations?)(?: for {IT}| please)?"
            ),
            "where did you get that?": (
                r"where (?:does|did|do) (?:{IT}|you) (?:come|get {IT}|know {IT}|have {IT})(?: from)?"
            ),
            "where is this documented?": r"where (?:is|was) {IT} (?:from|documented|written|explained)",
            "says who?": r"says who",
            "is there any documentation?": (
                r"(?:do you have|is there|any|got) (?:a |any |an |some )?(?:link|reference|source|docs?"
                r"|documentation|official docs?)(?: for {IT}| about {IT})?"
            ),
            "where can I read more?": r"where can i read(?: more)?(?: about {IT})?",
        },
    ),
    (
        "source",
        {
            "有出处吗": (
                r"(?:有没有|有|给我?|看|查)?(?:个|一下)?(?:官方)?(?:来源|出处|参考|参考资料|文档|链接|资料"
                r"|官方文档)(?:是什么|在哪里?|呢|有吗|吗|么|给我)?"
            ),
            "谁说的": r"(?:这是)?(?:哪里|谁)(?:说的|写的|来的|有写)",
            "哪里能看到": r"(?:在)?哪里?(?:能|可以)(?:读|看)到.{0,6}",
        },
    ),
    (
        "meaning",
        {
            "what do the numbers mean?": (
                r"what (?:does|do) (?:{IT}|the (?:message|error|numbers?|line|text|warning)|these numbers"
                r"|that number)s? (?:mean|say|tell (?:me|us))"
            ),
            "what is the meaning of this?": r"(?:what'?s|what is) the meaning(?: of {IT})?",
            "explain the numbers": r"(?:read|explain) (?:me )?the (?:message|error|numbers)",
        },
    ),
    (
        "meaning",
        {
            "这个报错是什么意思": (
                r"(?:这|这个|这句|它|那|这条|里面)?(?:个|的)?(?:报错|信息|错误|话|数字|消息|这些数字)?"
                r"(?:是|到底)*(?:什么意思|什么含义|啥意思|说了什么|说明什么)"
            ),
            "解释一下数字": r"(?:读|解释)(?:一下)?(?:报错|信息|数字)(?:信息)?",
        },
    ),
    (
        "line",
        {
            "which line?": (
                r"(?:in |at |on )?(?:which|what) (?:line|part|file|function|statement)"
                r"(?: of (?:my|the) (?:code|program|script))?"
                r"(?: (?:is|does|causes|fails|failed|raises|crashes|should i change).{0,30})?"
            ),
            "where is the error?": (
                r"where(?: (?:is|was|does|did) (?:it|this|that|the (?:error|bug|problem|mistake))"
                r"(?: (?:happen|fail|occur|crash|come from|go wrong))?)?(?: in my (?:code|program))?"
            ),
            "where exactly in my code?": r"where exactly(?: in (?:my|the) (?:code|program|script))?",
        },
    ),
    (
        "line",
        {
            "哪一行？": (
                r"(?:是|在|到底|问题|错误|究竟|出|我|该|要|应该|改|修改|需要)*(?:哪|那)一?"
                r"(?:行|句|个文件|个函数|段|里|儿|部分)(?:代码|的问题|出错了?|错了?|有问题|报错|出的|的"
                r"|出了问题|要改|的代码)*"
            ),
            "错在哪里了": r"错在哪(?:里|儿)?(?:了)?",
        },
    ),
    (
        "short",
        {
            "tl;dr": r"tl;?dr",
            "In short": r"in short",
            "briefly": r"briefly",
            "the short version": r"(?:the |a )?(?:shorter|short version|short answer|summary)",
            "summarize it": r"summari[sz]e(?: it| that)?",
            "in one sentence": r"in (?:one|a) (?:sentence|word|few words|nutshell)",
            "too long": r"too long",
            "make it shorter": r"make it short(?:er)?",
        },
    ),
    (
        "short",
        {
            "简单说一下": (
                r"(?:简单|简短|简要|一句话|精简|用一句话)(?:点|地|些|一点)?(?:说|讲|总结|概括|解释|说明)?"
                r"(?:一下|下|就行)?"
            ),
            "总结一下": r"(?:总结|概括)(?:一下|下)?",
            "太长不看": r"太长(?:了|不看)?",
            "长话短说": r"长话短说",
            "说重点": r"说重点",
        },
    ),
    (
        "simple",
        {
            "explain like I'm new": (
                r"explain (?:it |this |that )?(?:to me )?(?:like|as if|as though) .{1,40}"
            ),
            "explain it in simple terms": (
                r"(?:explain|say|put|tell)(?: me)? (?:it|this|that)? ?(?:more |to me )?"
                r"(?:simply|in (?:simple|simpler|plain|easy|layman'?s) (?:words|terms|language|english))"
            ),
            "I'm new to PyTorch": (
                r"i'?m (?:new|a beginner|a newbie|not an expert|a student)"
                r"(?: (?:to|at|in|with) [\w ]{1,20})?(?:[,.;].{0,40})?"
            ),
            "eli5": r"eli5",
            "in plain English": (
                r"in (?:plain|simple|simpler|easy|layman'?s) (?:words|english|terms|language)"
            ),
            "simpler": r"simpl(?:er|y)",
            "that's too technical for me": (
                r"(?:that'?s |it'?s |this is )?too (?:complicated|technical|difficult|hard)(?: for me)?"
            ),
        },
    ),
    (
        "simple",
        {
            "我是新手，能简单解释一下吗": (
                r"我?(?:是|刚)(?:一?个)?(?:新手|小白|初学者|入门|开始学|学).{0,6}?(?:[，, ].{0,16})?"
            ),
            "用大白话说": (
                r"(?:能|可以|请)?(?:用|说|讲)?(?:一下)?(?:大白话|白话|人话|通俗(?:易懂)?(?:的语言|点|一点)?"
                r"|(?:更)?(?:浅显|简单)(?:点|一点|些)?的(?:话|语言|说法))(?:地)?(?:来)?(?:说|讲|解释)?"
                r"(?:一下|下)?(?:吗|吧)?"
            ),
            "能通俗点讲吗": (
                r"(?:能|可以|能不能)(?:简单|通俗)(?:点|地|一点)?(?:说|讲|解释)(?:一下|下)?(?:吗|么|吧)?"
            ),
            "解释得简单点": (
                r"(?:再)?(?:解释|说|讲)(?:得|的)?(?:再|更)?(?:简单|通俗|浅显|容易懂)(?:一?(?:点|些))?"
                r"(?:吗|吧|可以吗)?"
            ),
            "太复杂了": r"太(?:复杂|难|专业)了.{0,6}",
        },
    ),
    (
        "why",
        {
            "Why?": r"(?:but )?why(?: not)?",
            "why does this happen?": (
                r"why (?:is|does|did|do|was|would|has|should) {IT}"
                r"(?: (?:so|happens?|happening|occur|fail|failing|crash|break|appear|not work|like that"
                r"|necessary|needed|work|an error|the case|come up|help))*"
            ),
            "how come?": r"how come",
            "what's the cause?": (
                r"what(?:'s| is| was)? (?:the )?(?:cause|reason)(?: (?:of|for|behind) {IT})?"
            ),
            "what causes it?": (
                r"what (?:causes|caused|is causing|triggers|triggered|makes) {IT}(?: happen)?"
            ),
            "explain why": (
                r"(?:explain|elaborate|expand)(?: {IT}| why| more| on {IT}| in (?:more )?detail| to me)*"
            ),
            "tell me more": r"tell me (?:more|why)(?: about {IT})?",
            "what is going on here?": (
                r"what (?:is|was|'s) (?:going on|happening|wrong|the matter)(?: here)?"
            ),
            "more details": r"(?:more|more details?|details?|go on|continue)",
            "I don't understand": r"i don'?t (?:understand|get)(?: {IT}| why)?",
            "how can this happen?": r"how (?:does|did|could|can) (?:{IT}) happen",
        },
    ),
    (
        "why",
        {
            "为什么？": (
                r"(?:这|这个|它|那|问题|这到底|到底)?(?:是|会)?(?:为什么|为啥|为何|怎么回事|什么原因"
                r"|因为什么|怎么会这样|怎么会|啥原因)(?:会|要|是)?(?:这样|出错|报错|发生|失败|出现|如此"
                r"|导致的|造成的|引起的|呢|啊|的)*"
            ),
            "原因是什么": r"(?:是)?(?:根本|具体|主要)?原因(?:是什么|呢|是啥|在哪)?",
            "详细解释一下": (
                r"(?:再|能|可以)*(?:详细|具体|仔细|多)?(?:解释|说明|讲讲|说说|说|讲)"
                r"(?:一下|下|清楚|一点|点|说|讲|原因|原理|为什么|吗)*"
            ),
            "没看懂": r"我?(?:不|没)(?:太|大|怎么)?(?:懂|明白|理解|看懂|听懂)",
            "原理是什么": r"(?:原理|更多|继续|详细)(?:是什么|呢)?",
        },
    ),
    (
        "thanks",
        {
            "thanks a lot!": (
                r"(?:many )?(?:thanks?(?: you)?|thx|ty|cheers)(?: (?:so|very) much| a lot| a bunch| again)?"
            ),
            "got it, thanks": (
                r"(?:great|perfect|cool|ok(?:ay)?|got it|i see|awesome|nice|excellent|understood|solved"
                r"|fixed|done|good)(?:,? (?:thanks?(?: you)?|thx))?"
            ),
            "it worked!": (
                r"(?:that |it |this )(?:worked|helped|works|fixed it|solved it|did it|was it|is it"
                r"|makes sense)(?: now)?(?:,? thanks?(?: you)?)?"
            ),
            "bye": r"bye",
            "goodbye": r"goodbye",
        },
    ),
    (
        "thanks",
        {
            "谢谢": (
                r"(?:谢谢|多谢|感谢|谢了|非常感谢|好的|好了|明白了?|懂了|解决了|可以了|搞定了?|成功了"
                r"|知道了|了解了?|好|行|没问题了|再见)(?:你|您|啦|了|大佬|[，, ]?谢谢)*"
            ),
        },
    ),
    (
        "help",
        {
            "hi": r"hi",
            "hello": r"hello",
            "hey": r"hey",
            "help": r"help",
            "what can I ask?": r"what can (?:you|i) (?:do|ask|say)(?: here)?",
            "how does this work?": r"how does (?:this|it) work",
            "who are you?": r"who are you",
            "what are you?": r"what are you",
            "how do I use this?": r"how do i use (?:this|you)",
            "你好": r"你好",
            "您好": r"您好",
            "帮助": r"帮助",
            "你能做什么": r"你(?:能|会|可以)(?:做|干)(?:什么|啥)",
            "怎么用": r"(?:这个?|你)?怎么用",
            "你是谁": r"你是谁",
            "能问什么": r"能问(?:你)?什么",
        },
    ),
    (
        "back",
        {
            "go back": (
                r"(?:go )?back(?: to (?:the )?(?:first|previous|last|earlier)"
                r"(?: (?:one|error|problem|question|paste))?)?"
            ),
            "the previous error": (
                r"(?:the )?(?:previous|last|earlier) (?:error|problem|paste|diagnosis|question)"
            ),
            "返回": r"返回",
            "回到刚才的问题": r"(?:回到|回)(?:上一个|之前|刚才|前面|前一个)(?:的)?(?:问题|那个|报错|错误)?",
            "上一个问题": r"(?:上一个|前一个|刚才那个|之前那个)(?:问题|报错|错误)?",
        },
    ),
)

# What the user suspects, or has tried already. `about`: what that is.
GUESSES: Mapping[str, str] = {
    "I tried retain_graph and it didn't help": (
        r"i(?:'ve| have)? (?:already |just )?(?:tried|used|added|set|did|enabled) (?P<about>.+?)"
        r"(?:,? (?:and|but|yet) .+|,? no (?:luck|effect|difference|change))?"
    ),
    "加了 retain_graph=True 还是不行": (
        r"(?:我)?(?:已经|也|都)?(?:试过|试了|用过|用了|加了|加过|设了|设置了|开了)(?P<about>.+?)"
        r"(?:了)?[，, ]?(?:但|可|也|还|却|仍|依然)+(?:是)?(?:不行|没用|一样|报错|出错|没有用|没效果|没变化)"
    ),
    "is it the batch size?": (
        r"(?:is|was|could|can|might|may|would|isn'?t) (?:{IT}|the (?:cause|reason|culprit))"
        r"(?: (?:be|also|maybe|perhaps|really|just|simply|still))*"
        r"(?: (?:because of|due to|caused by|related to|because|from|about|down to"
        r"|a (?:problem|matter|question|case) (?:of|with)))? {THE}(?P<about>.+?)"
        r"(?:'s fault| (?:problem|issue))?"
    ),
    "does it have anything to do with AMP?": (
        r"(?:does|has) it (?:have|got)? ?(?:anything |something )?to do with {THE}(?P<about>.+)"
    ),
    "maybe it's the optimizer": (
        r"(?:maybe|perhaps|probably|i (?:think|guess|suspect|bet|believe))(?: that)?"
        r"(?: (?:it'?s|it is|this is|it could be|it might be))?(?: (?:because of|due to|caused by))? {THE}"
        r"(?P<about>.+)"
    ),
    "is the batch size too large?": (
        r"(?:is|are|was|were) {THE}(?P<about>.+?) (?:the (?:problem|cause|reason|culprit)|to blame"
        r"|too (?:large|big|small|high|low|long|short|old|new)|wrong)"
    ),
    "是不是 batch size 太大了？": (
        r"(?:是不是|会不会是|会不会|是否|难道是|可能是|也许是|莫非是|我怀疑是|我觉得是|跟|和|与|是)"
        r"(?:因为|由于)?(?:我的|我)?(?P<about>.+?)(?:的)?(?:问题|原因|缘故|引起|导致|造成|有关系?|有问题"
        r"|太大|太小|太高|太低|太长|太旧|不对|错)?(?:了|的)?(?:吗|么|呢|吧)?"
    ),
}

# What the user does, has, or would do. `about`: what that is.
WHAT_IFS: Mapping[str, str] = {
    "what if I use DDP?": (
        r"what (?:if|happens (?:if|when|with)|about)(?: (?:i|we|you|it|this))?"
        r"(?: (?:use[ds]?|using|try|want|have|am using|do|did|run|runs|just))?(?: (?:on|with|to|in))? {THE}"
        r"(?P<about>.+?)(?: instead)?"
    ),
    "how about a smaller batch?": r"how about {THE}(?P<about>.+?)(?: instead)?",
    "does retain_graph=True help?": (
        r"(?:does|would|will|can|could|do) {THE}(?P<about>.+?) (?:help|work|matter|change (?:it|anything)"
        r"|make (?:a|any) difference|(?:fix|solve|cure|avoid|prevent|cause) {IT})(?: here| too| as well)?"
    ),
    "can I just use AMP?": (
        r"(?:can|could|should|must|may|do|shall) (?:i|we)"
        r"(?: (?:also|just|simply|still|have to|need to|really|not))*"
        r"(?: (?:use|try|need|set|call|add|do|switch to|enable|disable))? {THE}(?P<about>.+?)(?: instead)?"
    ),
    "does it also work with DDP?": (
        r"(?:does|will|would|can|is) {IT} (?:also |still |only )?(?:happen|work|apply|occur|hold|matter"
        r"|true|possible|the same|fail|appear)(?: too| as well)?"
        r"(?: (?:with|on|in|for|under|when|if|using|without))+ {THE}(?P<about>.+)"
    ),
    "what does AMP have to do with it?": (
        r"(?:what|how)(?: (?:does|do|is|are|about))? {THE}(?P<about>.+?) (?:have|has) to do with {IT}"
    ),
    "with torch.compile?": r"(?:with|without|on|in|for|under|using) {THE}(?P<about>[\w.\- ]{2,40})",
    "I use DDP": (
        r"(?:but )?(?:i|we)(?:'m| am|'re| are)? (?:use|using|have|on|running|run|training (?:on|with)"
        r"|working (?:on|with)) {THE}(?P<about>[\w.+-]+(?: [\w.+-]+){0,2})"
    ),
    "我用的是 DDP": (
        r"(?:可是|但是?)?(?:我|我们)(?:这边|现在|这里)?(?:用的是|用的|在用|是用|用了|用|跑在|是在|在) ?"
        r"(?P<about>[A-Za-z][\w.+\- ]{0,16}?|[\u3400-\u9fff]{2,6}?) ?(?:上|里)?(?:训练|跑|运行)?(?:的)?"
    ),
    "如果我用 JAX 呢": (
        r"(?:如果|要是|假如|若|若是)(?:我|我们)?(?:改?用|换成|换|使用|加上|加|开启?|打开|设置?|改成|是|在)?"
        r"(?P<about>.+?)(?:上|下)?(?:的话)?(?:呢|会怎样|会怎么样|怎么样|行吗|可以吗|行不行|有用吗|能解决吗"
        r"|还会(?:这样|出错|报错)吗|能行吗|好吗|怎么办|会(?:怎么|咋)样|会如何|会好吗)?"
    ),
    "需要梯度裁剪吗": (
        r"(?:我|我们)?(?:改?用|换成|换|使用|加上|开启|打开|改成|能用|可以用|能不能用|需要|要不要)"
        r"(?P<about>.+?)(?:的话)?(?:呢|会怎样|会怎么样|怎么样|行吗|可以吗|行不行|有用吗|能解决吗|吗|会如何)"
    ),
    "梯度累积有用吗": (
        r"(?P<about>.{2,24}?)(?:也|还|会|能)*(?:有用|管用|有帮助|行得通|能解决|可以|行|好使|有影响)"
        r"(?:吗|么|不|呢)"
    ),
    "在 Windows 上也会吗": (
        r"(?:在|对|对于)(?P<about>.{2,20}?)(?:上|下|里|中)?(?:也|还|是否)+(?:会|有|适用|一样|行|是|能)"
        r".{0,8}"
    ),
    "梯度累积呢": r"(?P<about>.{2,20})呢",
}

ORDINAL_NUMBERS = {
    word: at
    for at, words in enumerate(
        ("first 1st 1 一", "second 2nd 2 二 两", "third 3rd 3 三", "fourth 4th 4 四", "fifth 5th 5 五"), 1
    )
    for word in words.split()
}
# "the second one", "第二个": a candidate by its number.
ORDINAL = re.compile(
    r"(?:what about |how about |show me |show |try |tell me about |take |open |it'?s )?"
    r"(?:the |number |no\. ?|#|candidate )?(?P<n>first|second|third|fourth|fifth|1st|2nd|3rd|4th"
    r"|5th|[1-5])(?: one| candidate)?|(?:看|看看|换|选|说说|是)?第?(?P<z>[一二三四五两1-5])个"
    r"(?:呢|怎么样|吧|候选)?",
    re.IGNORECASE,
)
# Words that lean on what was said before.
POINTING = re.compile(
    r"\b(?:it|its|this|that|these|those|them|they|the fix|the error|the entry)\b|[它这那]|该问题"
    r"|上面|刚才",
    re.IGNORECASE,
)
