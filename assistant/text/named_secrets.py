"""Secrets that their surroundings give away: a name before them, a command, a header, a URL, a private key's
frame.

`find` works on UTF-8 bytes and yields spans. Patterns are RE2's, so the time is linear whatever the text;
what they cannot say (is this value random, is it a placeholder) is decided in Python on the one value.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache

import re2

from .urls import urls

Span = tuple[int, int]

# Names whose value is secret whatever it looks like, in any case, as the end of a longer name (DB_PASSWORD,
# dbPassword).
PASSWORD_NAMES = r"pass(?:word|wd|phrase|code|wort)|pwd|[_-]pass"  # noqa: S105 (names, no values)
# Names whose value is secret if it could be one: not a placeholder, a type, code.
KEY_NAMES = (
    r"(?:api|access|account|secret|private|shared[_-]?access|encryption|signing|master|licen[sc]e|subscription|client|consumer|"
    r"service|deploy|customer|hmac|aes|rsa|jwt|ssh|webhook|pre-?shared)[_-]?(?:access[_-]?)?key(?:[_-]?id)?|api[_-]?token|"
    r"(?:access|auth|refresh|session|bearer|bot|personal|private|security|csrf|xsrf|oauth|id|identity|login|user|sas)[_-]?token|"
    r"secret|credentials?"
)
WEAK_NAMES = r"key|token|auth|sid|sig|pat|salt|login|session(?:id)?|pw|psw"  # secret only if random
CHINESE = "密码|密 码|口令|密钥|秘钥|令牌|私钥|授权码|凭证|凭据|密碼|金鑰|權杖"
# The word in other languages that users of PyTorch write; a sign has to follow.
FOREIGN_PASSWORDS = (
    "kennwort|contraseña|contrasenya|mot de passe|senha|wachtwoord|hasło|пароль|パスワード|비밀번호"
)
QUOTE = r"\\*[\"']"
VALUE = r"(?:[rbuf]{0,2}\\*\"(?:\\+\")?([^\"\n]+)|[rbuf]{0,2}\\*'([^'\n]+)|`([^`\n]+)`|([^\s\"',;&|]+))"
# The same without `_pass`, which also ends the names of what a compiler does
PASSWORD_WORDS = r"pass(?:word|wd|phrase|code|wort)|pwd"  # noqa: S105 (names)
# What a word may begin behind: in a string as Python or JSON shows it a line ends in a letter, `\\r\\nCookie`
BEGINS = r"(?:\b|\\[nrt])"
# user:password, in quotes as a whole or not
LOGIN = rf"(?:\"[^\"\n:]*:([^\"\n]+)\"|'[^'\n:]*:([^'\n]+)'|[\"']?[^\s\"':]*:{VALUE})"
BLANK = r"[ \t\x{a0}\x{3000}]"
ESCAPED_QUOTE = r"&(?:quot|apos|#0?34|#0?39|#x2[27]);|\\+u002[27]|%(?:25)?2[27]"  # of HTML, JSON, an address
EQUALS = r":=|=>|==?|:|：|＝|&(?:equals|#0?61|#x3[dD]);|\\+u003[aAdD]|%(?:25)?3[aAdD]"
MARKED = r"\*{1,2}|`{1,2}"  # of Markdown
AFTER_NAME = (
    rf"(?:{QUOTE}|{ESCAPED_QUOTE}|{MARKED})?[\])]?{BLANK}*(?:{EQUALS})(?:\*{{1,2}})?(?:{BLANK}|%20|\+)*"
    rf"(?:{ESCAPED_QUOTE})?"
)
SPACE = r"[ \t]+"
QUOTED = r"(?:[rbuf]{0,2}\\*\"([^\"\n]+)|[rbuf]{0,2}\\*'([^'\n]+))"
# The next element of a list in YAML
ITEM_BELOW = rf"(?:{QUOTE})?[ \t]*\n[ \t]*-[ \t]+{VALUE}"
# What pydantic prints below the name of a field
BELOW_ITS_FIELD = r"[ \t]*\n[ \t]+[^\n]{1,300}?\binput_value=(?:'([^'\n]+)'|\"([^\"\n]+)\")"
SECRET_WORDS = "token|key|secret|auth|password|passwd|passphrase|pwd"  # noqa: S105 (names)
COMMAND = r"[ \t][^\n|;]*?"  # the rest of a command, up to what follows

# Each: (one of these stands in the lower-case text, the pattern). The group that took part is the value.
PASSWORD_FORMS = (
    (("pass", "pwd"), rf"(?i)(?:{PASSWORD_NAMES})[0-9]?{AFTER_NAME}{VALUE}"),
    (("pass", "pwd"), rf"(?i)--?[a-z0-9_.-]*(?:pass(?:word|wd|phrase|code)?|pwd)(?:=|{SPACE}){VALUE}"),
    (  # a command as Python shows its words: ['--db_password', '...']
        ("pass", "pwd"),
        rf"(?i){QUOTE}--?[a-z0-9_.-]*(?:pass(?:word|wd|phrase|code)?|pwd){QUOTE}[ \t]*,[ \t]*{QUOTED}",
    ),
    (
        ("pass", "pwd", "secret", "token"),
        r"(?i)<[a-z:]*(?:pass(?:word|wd|phrase)|pwd|secret|token)(?:[ \t][^<>\n]{0,100})?>([^<\n]+)</",
    ),
    (("password",), rf"(?i)\b(?:login|user|account|machine){SPACE}\S+{SPACE}password{SPACE}{VALUE}"),
    (
        ("identified",),
        rf"(?i)\bidentified(?:{SPACE}with{SPACE}\S+)?{SPACE}by(?:{SPACE}password)?{SPACE}{VALUE}",
    ),
    (("sshpass",), rf"\bsshpass{SPACE}-p[ \t]*{VALUE}"),
    (("mysql", "mariadb"), rf"\b(?:mysql|mariadb)[a-z]*(?:[ \t][^\n|;]*?)??[ \t]-p{VALUE}"),
    (  # a command as Python shows its words
        ("mysql", "mariadb"),
        rf"\b(?:mysql|mariadb)[a-z]*{QUOTE}[^\n|;]*?{QUOTE}-p([^\"'\n]+){QUOTE}",
    ),
    (("login",), rf"\blogin{COMMAND}-p(?:=|{SPACE}){VALUE}"),
    (("creds",), rf"--(?:src-|dest-)?creds(?:=|{SPACE}){LOGIN}"),  # skopeo, podman
    (
        ("cqlsh", "sqlcmd", "mosquitto_", "ipmitool"),
        rf"\b(?:cqlsh|sqlcmd|mosquitto_[a-z]+|ipmitool){COMMAND}-[pP][ \t]*{VALUE}",
    ),
    (
        ("rabbitmqctl",),
        rf"\brabbitmqctl{SPACE}(?:-\S+{SPACE})*(?:add_user|change_password){SPACE}\S+{SPACE}{VALUE}",
    ),
    (("useradd", "usermod"), rf"\buser(?:add|mod){COMMAND}-p{SPACE}{VALUE}"),
    (
        ("curl", "http", "wget", "etcdctl"),
        rf"\b(?:curl|https?|wget|lftp|etcdctl)(?:[ \t][^\n|;]*?)??[ \t](?:-[a-zA-Z]{{0,5}}[uUa]|--user|--proxy-user|--auth)(?:=|[ \t]*){LOGIN}",
    ),
    (("redis-cli",), rf"\bredis-cli{COMMAND}-a{SPACE}{VALUE}"),
    (("sudo",), rf"\becho{SPACE}{VALUE}[\"']?[ \t]*\|[ \t]*sudo\b"),
    (("kinit",), rf"\becho{SPACE}{VALUE}[\"']?[ \t]*\|[ \t]*kinit\b"),
    (("pass:",), rf"-pass(?:in|out)?{SPACE}pass:{VALUE}"),
    (
        tuple(CHINESE.split("|")),
        rf"(?:{CHINESE})(?:是|为|為|填的)?{BLANK}*[：:＝=]?{BLANK}*[\"'“]?([!#-&(-+\--:<-~]{{4,}})",
    ),
    (tuple(FOREIGN_PASSWORDS.split("|")), rf"(?i)(?:{FOREIGN_PASSWORDS}){AFTER_NAME}{VALUE}"),
    (("pass", "pwd"), rf"(?i)(?:password|passwd|pwd){BLANK}*(?:是|为|為){BLANK}*{VALUE}"),
    (  # requests: auth=("bob", "..."), HTTPBasicAuth("bob", "..."), http_auth=(...)
        ("auth",),
        rf"(?i)(?:auth[\"']?[ \t]*[=:][ \t]*[(\[]|(?:basic|digest|proxy)auth\()[ \t]*{QUOTE}[^\"'\n]{{1,100}}{QUOTE}[ \t]*,[ \t]*{QUOTED}",
    ),
    (("zip",), rf"\b(?:un)?zip{COMMAND}-P[ \t]*{VALUE}"),
    (("plink", "pscp", "psftp"), rf"\b(?:plink|pscp|psftp)(?:\.exe)?{COMMAND}-pw{SPACE}{VALUE}"),
    (("rar ",), rf"\b(?:un)?rar{COMMAND}-hp{VALUE}"),
    (("twine", "snowsql", "rdesktop"), rf"\b(?:twine|snowsql|rdesktop){COMMAND}-p{SPACE}{VALUE}"),
    (("htpasswd",), rf"\bhtpasswd{SPACE}-[a-zA-Z]*b[a-zA-Z]*{SPACE}\S+{SPACE}\S+{SPACE}{VALUE}"),
    (("securestring",), rf"(?i)\bconvertto-securestring{SPACE}(?:-string{SPACE})?{QUOTED}"),
    (("7z",), rf"\b7z[a-z]?{COMMAND}-p{VALUE}"),
    (("openssl",), rf"\bopenssl[ \t]+enc{COMMAND}-k{SPACE}{VALUE}"),
    (("ldap",), rf"\bldap[a-z]+{COMMAND}-w{SPACE}{VALUE}"),
    (("mongo",), rf"\bmongo[a-z]*{COMMAND}-p{SPACE}{VALUE}"),
    (("lftp",), rf"\blftp{COMMAND}-u{SPACE}[^\s,]*,{VALUE}"),
    (("smbclient",), rf"\bsmbclient{COMMAND}(?:-U|--user)(?:=|[ \t]*)[\"']?[^\s\"'%]*%{VALUE}"),
    (("http-basic",), rf"\bhttp-basic\.\S+{SPACE}\S+{SPACE}{VALUE}"),
    (("input_value",), rf"(?im)^[\w.\[\]-]*(?:{PASSWORD_NAMES}){BELOW_ITS_FIELD}"),
    (("sshpass",), rf"\bSSHPASS={VALUE}"),
    (
        ("->",),
        rf"(?i)(?:{PASSWORD_NAMES})[ \t]*=[ \t]*\"[^\"\n]*\"[ \t]*->[ \t]*{QUOTED}",
    ),  # a plan of terraform
    (  # CREATE ROLE bob WITH LOGIN PASSWORD '...'
        ("password",),
        rf"(?i)\b(?:create|alter){SPACE}(?:user|role)\b[^\n;]*?\bpassword{SPACE}{QUOTED}",
    ),
    (("requirepass", "masterauth"), rf"(?i)\b(?:requirepass|masterauth){SPACE}{VALUE}"),  # redis.conf
    (("setting --",), rf"\bSetting --[a-z-]*password \([a-z]+\) to{SPACE}(\S+)"),  # wget -d
    ((" login ",), rf"\b[A-Z]{{4,8}}[0-9]+ LOGIN{SPACE}\S+{SPACE}{VALUE}"),  # imaplib's debugging
    (  # a .netrc over several lines
        ("password",),
        rf"(?im)^[ \t]*login{SPACE}\S+[ \t]*\n[ \t]*password{SPACE}{VALUE}[ \t]*$",
    ),
)
# As above, where what was written in words is something else: `{"password": ["This field is required"]}`
PAIRED_FORMS = (
    (  # {"user": "bob", "pass": "..."}, smtp_pw="..."
        ("pass", "pw"),
        rf"(?i)(?:(?:^|[^a-z0-9])(?:pass|pw){QUOTE}[ \t]*:|_pw(?:{QUOTE})?[ \t]*[=:])[ \t]*{QUOTED}",
    ),
    (  # on the next line, where a printer or a formatter had no room
        ("pass", "pwd"),
        rf"(?i)(?:{PASSWORD_WORDS}){AFTER_NAME}\(?[ \t]*\n[ \t]*{QUOTED}",
    ),
    (  # os.environ.setdefault("DB_PASSWORD", "..."), ("password", "..."), a list of arguments line by line
        ("pass", "pwd"),
        rf"(?i)(?:{PASSWORD_WORDS}){QUOTE}[ \t]*,\s{{0,60}}{QUOTED}",
    ),
    (("pass", "pwd"), rf"(?i)^[ \t]*-[ \t]+{QUOTE}?--?[\w.-]*(?:{PASSWORD_WORDS}){ITEM_BELOW}"),
    (  # password: str = "..."
        ("pass", "pwd"),
        rf"(?i)(?:{PASSWORD_WORDS})[ \t]*:[ \t]*[a-z_.\[\] |]{{1,40}}=[ \t]*{QUOTED}",
    ),
    (
        ("pass", "pwd"),
        rf"(?i)(?:{PASSWORD_WORDS}){AFTER_NAME}[rbuf]{{0,2}}(?:\"{{3}}|'{{3}})\s{{0,20}}([^\"'\n]+)",
    ),
    (("pass", "pwd"), rf"(?i)(?:{PASSWORD_WORDS})\([ \t]*{QUOTED}"),  # setPassword("...")
    (  # a variable of Terraform
        ("default",),
        rf"(?i)\bvariable{SPACE}\"[\w-]*(?:{SECRET_WORDS})\"[ \t]*\{{[^}}]{{0,300}}?\bdefault[ \t]*=[ \t]*{QUOTED}",
    ),
    (  # <string name="api_key">...</string>
        ("name=", "key="),
        rf"(?i)\b(?:name|key)=\"[\w.-]*(?:{SECRET_WORDS})\"[^<>\n]{{0,100}}>([^<\n]+)<",
    ),
    ((":5432:", ":*:"), r"^[\w.*-]+:(?:[0-9]{2,5}|\*):[^:\s]+:[^:\s]+:(\S+)$"),  # .pgpass
    (  # Enter passphrase for key '/home/bob/.ssh/id_rsa': ...
        ("pass",),
        rf"(?i)\b(?:password|passphrase){SPACE}for{SPACE}[^\n]{{1,120}}?:{SPACE}{VALUE}",
    ),
    (  # YAML: a block, a tag or an anchor, a name of several lines
        ("pass", "pwd"),
        rf"(?i)(?:{PASSWORD_WORDS}){AFTER_NAME}[|>][+-]?[0-9]?[+-]?[ \t]*\n[ \t]+(\S+)",
    ),
    (("pass", "pwd"), rf"(?i)(?:{PASSWORD_WORDS}){AFTER_NAME}[!&][\w!:/.-]*{SPACE}{VALUE}"),
    (("pass", "pwd"), rf"(?i)\?[ \t]+\w*(?:{PASSWORD_WORDS})[ \t]*\n[ \t]*:[ \t]+{VALUE}"),
    (  # several: ["..."], {"bob": "..."}; Rust's Some("...")
        ("pass", "pwd"),
        rf"(?i)(?:{PASSWORD_WORDS})s?{AFTER_NAME}(?:some)?[\[({{][ \t]*(?:{QUOTE}[^\"'\n]{{0,60}}{QUOTE}[ \t]*:[ \t]*)?{QUOTED}",
    ),
    (  # {"name": "password", "value": "..."}
        ("val",),
        rf"(?i)\b(?:name|key|field|id)(?:{QUOTE})?[ \t]*[:=][ \t]*(?:{QUOTE})?[\w.-]*(?:{PASSWORD_WORDS}|_pass)(?:{QUOTE})?"
        rf",?\s{{0,40}}(?:#[^\n]{{0,80}}\n[ \t]{{0,40}})?(?:{QUOTE})?val(?:ue)?(?:{QUOTE})?[ \t]*[:=][ \t]*{VALUE}",
    ),
    (  # <property name="password" value="..."/>
        ("value=",),
        rf"(?i)<[a-z:]+[ \t][^<>\n]{{0,80}}?(?:name|key|id)=[\"'][\w.-]*(?:{PASSWORD_WORDS})[\"'][^<>\n]{{0,80}}?\bvalue={QUOTED}",
    ),
    (  # [sudo] password for bob: ...; Password for 'https://bob@github.com': ...
        ("for ",),
        r"(?i)\bpass(?:word|phrase)[ \t]+for[ \t]+(?:'[^'\n]{1,100}'|[^\s:]{1,100})(?:[ \t]+[\w.-]{1,40}){0,3}:[ \t]+(\S+)",
    ),
    (  # a table's cells
        ("pass", "pwd"),
        rf"(?i)[|│┃][ \t]*[\w.-]*(?:{PASSWORD_WORDS})[ \t]*[|│┃][ \t]*([^\s|│┃]+)",
    ),
    (  # Password（密码）：...
        ("pass", "pwd"),
        rf"(?i)(?:{PASSWORD_WORDS}){BLANK}*(?:（[^）\n]{{0,20}}）|\([^()\n]{{0,20}}\)){BLANK}*[:：=]{BLANK}*{VALUE}",
    ),
    (("pw", "psk", "pass"), rf"(?i)(?:^|[^a-zA-Z0-9_-])(?:pw|psk|pass)[ \t]*=[ \t]*{QUOTED}"),
    (
        ("setx", "%env", "env ", "setenv", "set -"),
        rf"(?:\bsetx|%env|(?:^|[\]:)])[ \t]*ENV|\bsetenv|\bset{SPACE}-[a-zA-Z]*x[a-zA-Z]*){SPACE}\w*(?:PASSWORD|PASSWD|PASSPHRASE|PWD|PASS)"
        rf"{SPACE}{VALUE}",
    ),
    (
        ("password-stdin", "with-token", "chpasswd", "wandb login"),
        rf"\becho{SPACE}(?:-n{SPACE})?{VALUE}[\"']?[ \t]*\|[^\n|]*(?:--password-stdin|--with-token|chpasswd|wandb login)",
    ),
    (("chpasswd",), rf"\bchpasswd[ \t]*<<<[ \t]*{VALUE}"),
    (("_proxy",), r"(?i)_proxy[ \t]*[=:][ \t]*[\"']?[^\s:@/\"']+:([^\s@/\"']+)@"),
    (  # ssh.connect("host", 22, "bob", "...")
        (".connect(",),
        rf"\.connect\([ \t]*{QUOTE}[^\"'\n]{{1,100}}{QUOTE}[ \t]*,(?:[ \t]*[0-9]{{1,5}}[ \t]*,)?[ \t]*"
        rf"{QUOTE}[^\"'\n]{{1,100}}{QUOTE}[ \t]*,[ \t]*{QUOTED}",
    ),
    (("@",), r"(?:^|[\s\"'=])//[^\s:/@\"']{1,100}:([^\s/@\"']+)@"),  # a share: //bob:...@nas/data
    (  # the password "..." of bob, password -> ...
        ("passw",),
        rf"(?i)\bpassw(?:ord|d){SPACE}(?:[\"'`\[<(]([^\"'`\])>\s]+)|(?:→|->){SPACE}{VALUE})",
    ),
    ((".login(",), rf"(?i)\.login\([ \t]*{QUOTE}[^\"'\n]{{1,100}}{QUOTE}[ \t]*,[ \t]*{QUOTED}"),
    (("expect",), r"\bsend[ \t]+(?:--[ \t]+)?\"([^\"\\\n]+)\\[rn]\""),
    (
        ("mc ",),
        rf"\bmc{SPACE}(?:alias{SPACE}set|config{SPACE}host{SPACE}add)(?:{SPACE}\S+){{3}}{SPACE}{VALUE}",
    ),
    (
        ("sqlplus", "jdbc:oracle"),
        r"\b(?:sqlplus(?:[ \t]+-\w+)*[ \t]+|jdbc:oracle:[a-z]+:)[\w.]+/([^\s@\"']+)@",
    ),
    (("net use",), rf"(?i)\bnet use{COMMAND}/user:\S+{SPACE}{VALUE}"),
    (("rclone",), rf"\brclone{SPACE}obscure{SPACE}{VALUE}"),
    (  # user: bob pass: ...
        ("pass", "pw"),
        rf"(?i)\b(?:user(?:name)?|login)[ \t]*[:=][ \t]*[^\s,;]{{1,100}}[ \t,;]{{1,8}}(?:pass|pw)[ \t]*[:=][ \t]*{VALUE}",
    ),
    (("</name>",), rf"(?i)<name>[^<\n]*(?:{PASSWORD_WORDS})</name>\s{{0,40}}<value>([^<\n]+)<"),  # Hadoop's
    (("pass", "pwd"), rf"(?im)^[ \t]*[\w.-]*(?:{PASSWORD_WORDS})[ \t]{{2,}}(\S+)[ \t]*$"),  # columns
)
SENTENCE_FORMS = ((("pass",), rf"(?i)\b(?:password|passphrase|passwd){SPACE}(?:is|was){SPACE}{VALUE}"),)
SECRET_FORMS = (
    (("key", "token", "secret", "credential"), rf"(?i)(?:{KEY_NAMES})[0-9]?{AFTER_NAME}{VALUE}"),
    (  # a wrapper's repr
        ("secret", "fernet", "credential("),
        r"(?i)\b(?:secret(?:str|bytes|value)?|fernet|azure(?:sas|key)credential)\([rbuf]{0,2}\\*[\"']([^\"'\n]+)",
    ),
    (  # of the cloud's XML
        ("secretaccesskey", "sessiontoken", "accesskeysecret", "securitytoken"),
        r"(?i)<(?:secretaccesskey|sessiontoken|accesskeysecret|securitytoken)>([^<\n]+)</",
    ),
    (  # the secret half beside an id that its form gives away: oss2.Auth('LTAI...', '...')
        ("akia", "asia", "ltai", "akid"),
        r"(?:AKIA|ASIA|LTAI|AKID)[A-Za-z0-9]{12,40}[\"']?[ \t]*(?:[,:;|/ \t])[ \t]*[\"']?([A-Za-z0-9/+=_-]{24,})",
    ),
    (  # aws configure set aws_secret_access_key ...
        ("configure set",),
        rf"\bconfigure set{SPACE}\S*(?:key|token|secret){SPACE}{VALUE}",
    ),
    (
        ("private-lines",),
        r"Private-Lines: [0-9]+\n((?:[A-Za-z0-9+/=]{40,}\n?)+(?:[A-Za-z0-9+/]+={1,2})?)",
    ),  # of PuTTY
    (("input_value",), rf"(?im)^[\w.\[\]-]*(?:{KEY_NAMES}){BELOW_ITS_FIELD}"),
    (
        (".account.",),
        rf"(?i)\.account\.(?:key|oauth2\.client\.secret)\.[\w.-]+(?:[ \t]*[:=]|{QUOTE}[ \t]*,)[ \t]*{VALUE}",
    ),  # Azure's
    ((".dockerc",), rf"\.dockerc(?:onfigjson|fg)(?:{QUOTE})?:[ \t]*{VALUE}"),
    (("ossutil", "obsutil"), rf"\bo[sb]sutil(?:64)?{COMMAND}-k(?:=|{SPACE}){VALUE}"),
    (("-key-data",), rf"\b[a-z]+-key-data(?:{QUOTE})?:[ \t]*{VALUE}"),  # a kubeconfig's private key
    (("remote modify",), rf"\bremote modify{COMMAND}\w*(?:password|key|token|secret){SPACE}{VALUE}"),  # dvc's
    (("secret set",), rf"\bsecret set{COMMAND}(?:-b|--body)(?:=|{SPACE}){VALUE}"),  # gh's
)
SETTING_FORMS = (
    (("pass:",), r"(?im)^[ \t]*pass:[ \t]+([^\s\"',;]*[a-z][^\s\"',;]*)[ \t]*$"),  # of YAML
    (
        ("key", "token", "secret", "credential"),
        rf"(?i)--[a-z0-9_.-]*(?:{KEY_NAMES}){SPACE}{VALUE}",
    ),
    (  # a container's environment: `- name: DB_PASSWORD` with `value: ...` on the next line
        ("value",),
        rf"\bname(?:{QUOTE})?:[ \t]*(?:{QUOTE})?[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|KEY|PAT|PASS|AUTH)(?:{QUOTE})?,?\s{{1,40}}"
        rf"(?:{QUOTE})?value(?:{QUOTE})?:[ \t]*{VALUE}",
    ),
    (
        ("setx", "%env", "env ", "setenv", "set -"),
        rf"(?:\bsetx|%env|(?:^|[\]:)])[ \t]*ENV|\bsetenv|\bset{SPACE}-[a-zA-Z]*x[a-zA-Z]*){SPACE}\w*(?:PASSWORD|SECRET|TOKEN|KEY|PASS){SPACE}{VALUE}",
    ),
    (
        ("_token", "_key", "_pat", "_pass", "_auth"),
        rf"[A-Z0-9]_(?:TOKEN|KEY|PAT|PASS|AUTH){AFTER_NAME}{VALUE}",
    ),
)
WEAK_FORMS = (
    (  # on the next line, as above
        ("token", "key", "secret", "auth"),
        rf"(?i)(?:token|key|secret|auth){AFTER_NAME}\(?[ \t]*\n[ \t]*{QUOTED}",
    ),
    (
        ("key", "token", "auth", "sid", "sig", "pat", "salt", "login", "session", "pw", "psw"),
        rf"(?i)(?:^|[^a-zA-Z])(?:{WEAK_NAMES}){AFTER_NAME}{VALUE}",
    ),
    (
        ("token", "key", "secret", "auth"),
        rf"(?i)--?[a-z0-9_.-]*(?:token|key|secret|auth)(?:=|{SPACE}){VALUE}",
    ),
    (  # ['--api_key', '...'], os.getenv("HF_TOKEN", "..."), key="password" value="..."
        ("token", "key", "secret", "auth", "pass", "pwd"),
        rf"(?i)(?:{SECRET_WORDS}){QUOTE}(?:[ \t]*,\s{{0,60}}|[ \t]+value=){QUOTED}",
    ),
    (
        ("token", "key", "secret", "auth"),
        rf"(?i)^[ \t]*-[ \t]+{QUOTE}?--?[\w.-]*(?:{SECRET_WORDS}){ITEM_BELOW}",
    ),
    (  # several, in brackets, or the one that stands in for what was not given: `args.api_key or "..."`
        ("token", "key", "secret", "auth"),
        rf"(?i)(?:{SECRET_WORDS})s?{AFTER_NAME}(?:some)?[\[(][ \t]*{QUOTED}",
    ),
    (
        ("token", "key", "secret", "auth"),
        rf"(?i)(?:{SECRET_WORDS})s?{AFTER_NAME}[\[(][ \t]*{QUOTE}[^\"'\n]{{1,200}}{QUOTE}[ \t]*,[ \t]*{QUOTED}",
    ),
    (
        (" or ",),
        rf"(?i)(?:{SECRET_WORDS})[\w\"' ().,=\[\]]{{0,60}}?[ \t]or[ \t]+{QUOTED}",
    ),
    (  # what an interpreter, a debugger or a shell shows of a variable
        ("token", "key", "secret", "auth", "pass", "pwd"),
        rf"(?i)^(?:>>>|\(pdb\)|ipdb>|in \[[0-9]+\]:)[ \t]*(?:pp?[ \t]+|print\()?[\w.\[\]\"']*(?:{SECRET_WORDS})[\"'\])]*[ \t]*\n"
        rf"(?:out\[[0-9]+\]:[ \t]*)?{QUOTED}",
    ),
    (
        ("echo", "printenv"),
        rf"(?i)(?:\becho[ \t]+\"?\$\{{?|\bprintenv[ \t]+)\w*(?:{SECRET_WORDS})\}}?\"?[ \t]*\n([^\s\"',;&|]+)[ \t]*$",
    ),
    (("from-literal",), rf"--from-literal(?:=|{SPACE})[\"']?[^\s=\"']+={VALUE}"),
    (("client",), rf"\b\w*Client(?:V2)?\([ \t]*{QUOTED}"),  # cohere.Client("...")
    (("minio(",), rf"\bMinio\([^()\n]*,[ \t]*{QUOTED}"),  # Minio(host, "...", "...")
    (("/t/",), r"/t/([A-Za-z0-9_-]{20,})/"),  # conda's channels; a forum's address has words there
    (  # token: str | None = "..."
        ("token", "key", "secret", "auth", "pass", "pwd"),
        rf"(?i)(?:{SECRET_WORDS})[ \t]*:[ \t]*[a-z_.\[\] |]{{1,40}}=[ \t]*{QUOTED}",
    ),
    (("password",), rf"(?im)^[ \t]*password{SPACE}{VALUE}[ \t]*$"),  # a .netrc over several lines
    (  # save_token("..."), add_app_token("...")
        ("token(", "key(", "secret("),
        rf"(?i)(?:token|key|secret)\([ \t]*{QUOTED}",
    ),
    (  # "AWS Secret Access Key [None]: ...", "wandb: Paste an API key from your profile ...: ..."
        ("secret access key", "api key", "access token"),
        r"(?i)\b(?:secret access key|api key|access token)\b[^\n]{0,120}?[ \t:=\"']([A-Za-z0-9/+=_-]{32,})",
    ),
    (
        ("token", "key", "secret"),
        rf"(?i)(?:token|key|secret){BLANK}*(?:是|为|為){BLANK}*[：:]?{BLANK}*{VALUE}",
    ),
    (  # YAML's tags and anchors
        ("key", "token", "secret"),
        rf"(?i)(?:key|token|secret){AFTER_NAME}[!&][\w!:/.-]*{SPACE}{VALUE}",
    ),
    (  # {"name": "HF_TOKEN", "value": "..."}
        ("val",),
        rf"(?i)\b(?:name|key|field|id)(?:{QUOTE})?[ \t]*[:=][ \t]*{QUOTE}[\w.-]*(?:key|token|secret|auth){QUOTE},?\s{{0,40}}"
        rf"{QUOTE}val(?:ue)?{QUOTE}[ \t]*[:=][ \t]*{VALUE}",
    ),
    (("</key>",), r"(?i)<key>[^<\n]*(?:password|key|token|secret)</key>\s{0,40}<string>([^<\n]+)<"),
    (("</name>",), r"(?i)<name>[^<\n]*(?:key|token|secret)</name>\s{0,40}<value>([^<\n]+)<"),  # Hadoop's
    (("input_value",), rf"(?im)^[\w.\[\]-]*(?:{WEAK_NAMES}){BELOW_ITS_FIELD}"),
    (("code=", "jwt=", "appid="), r"(?i)[?&](?:code|jwt|appid)=([^\s&\"'#<>]+)"),
    (
        ("key", "token", "secret"),
        r"(?i)[|│┃][ \t]*[\w.-]*(?:key|token|secret)[ \t]*[|│┃][ \t]*([^\s|│┃]+)",
    ),  # cells
    (("key", "token", "secret"), r"(?im)^[ \t]*[\w.-]*(?:key|token|secret)[ \t]{2,}(\S+)[ \t]*$"),  # columns
    (("curl",), rf"\bcurl{COMMAND}(?:-u|--user)(?:=|[ \t]*)[\"']?([A-Za-z0-9_.-]{{20,}}):[\"']?(?:[ \t]|$)"),
    (("bearer",), rf"(?i)\bbearer[ \t]*[:=][ \t]*{VALUE}"),
    (("login(",), rf"\blogin\([ \t]*{QUOTED}"),
    (("authtoken",), rf"\b(?:add-)?authtoken{SPACE}{VALUE}"),
    (("vault login",), rf"\bvault login{SPACE}(?:-\S+{SPACE})*{VALUE}"),
    (('"kty"',), r"\"(?:d|p|q|dp|dq|qi|k)\"[ \t]*:[ \t]*\"([A-Za-z0-9_-]{32,})\""),  # a private key in JSON
    (("swanlab",), rf"\bswanlab{SPACE}login{COMMAND}(?:-k|--api-key)(?:=|{SPACE}){VALUE}"),
    (("sign=",), r"[?&]sign=([^\s&\"'#<>]{16,})"),  # of a webhook
    (("signature=", "response="), r"(?i)\b(?:signature|response)=[\"']?([0-9a-f]{32,})"),  # sigv4, digest
    (  # "Basic ...", "Using token ...", "the secret key is ...", "api_key ... is not valid"
        ("basic", "token", "key", "secret", "pass"),
        r"(?i)(?:\b|_)(?:basic|token|key|secret|password|passphrase|passwd)(?:[ \t]+(?:is|was|found|set to|has been set to))?:?[ \t]+"
        r"[\"'`]?([A-Za-z0-9_\-.=+/~]{16,})",
    ),
    (  # parser.add_argument("--api_key", default="..."), token = token or "..."
        ("token", "key", "secret", "auth", "pass", "pwd"),
        rf"(?i)(?:{SECRET_WORDS})(?:{QUOTE}[^\n]{{0,200}}?\bdefault[ \t]*=|[ \t]*=[ \t]*[\w.]+[ \t]+or)[ \t]*{QUOTED}",
    ),
    (  # tokens: [..., a list of YAML below its name
        ("token", "key", "secret", "pass", "pwd"),
        rf"(?i)(?:{SECRET_WORDS})s{AFTER_NAME}(?:[\[({{]|\n[ \t]*-)\s{{0,60}}{VALUE}",
    ),
    (
        ("token", "key", "secret", "auth"),
        rf"(?i)(?:token|key|secret|auth){AFTER_NAME}[rbuf]{{0,2}}(?:\"{{3}}|'{{3}})([^\"'\n]+)",
    ),
    (("auth ",), r"\bAUTH[ \t]+[\"']?([^\s\"']{16,})"),  # redis
    (("<<<",), r"<<<[ \t]*[\"']?([^\s\"']{16,})"),
    (  # ["-u", "bob", "-p", "..."]
        ("-p", "-w", "-a", "-k", "-t"),
        rf"{QUOTE}-[pPwakt]{QUOTE}[ \t]*,[ \t]*{QUOTED}",
    ),
    (  # twilio's: Client("AC...", "...")
        ("client(",),
        rf"\bClient\([ \t]*{QUOTE}[^\"'\n]{{1,100}}{QUOTE}[ \t]*,[ \t]*{QUOTED}",
    ),
    (("login",), rf"\blogin{COMMAND}([A-Za-z0-9_-]{{32,}})"),
)
WHOLE_FORMS = (  # nothing to judge
    (
        ("authorization",),
        rf"(?i){BEGINS}authorization{AFTER_NAME}(?:{QUOTE})?(?:[a-z][a-z0-9-]{{0,40}}[ \t]+)?"
        r"([^\s\"',]{6,})",
    ),
    (("bearer",), r"(?i)\bbearer[ \t]+([A-Za-z0-9_\-.=+/~]{16,})"),
    (("auth ",), r"\bAUTH[ \t]+(?:PLAIN|LOGIN)[ \t]+([A-Za-z0-9+/=]{8,})"),  # smtplib's debugging
    (("'pass ",), r"'PASS ([^'\n]+)'"),  # ftplib's
    (("cookie",), rf"(?i){BEGINS}(?:set-)?cookie2?[\"']?[ \t]*[:=][ \t]*[\"']?([^\n\"']{{6,}})"),
    (  # smtplib's debugging: what answers the server's "Password:" of AUTH LOGIN
        ("ugfzc3dvcmq6",),
        r"UGFzc3dvcmQ6[^\n]*\n(?:[^\n]*reply: [^\n]*\n){0,2}[^\n]*send: b?'([A-Za-z0-9+/=]{4,})",
    ),
    (  # the data of a Secret of Kubernetes, whatever its names are
        ("secret",),
        r"^(?:data|stringData):[ \t]*\n((?:[ \t]+[^\n]*\n)*[ \t]+[^\n]*)\nkind:[ \t]*Secret[ \t]*$",
    ),
    (
        ("secret",),
        r"^kind:[ \t]*Secret[ \t]*\n(?:[^\n-][^\n]*\n){0,40}?(?:data|stringData):[ \t]*\n((?:[ \t]+[^\n]*\n)*[ \t]+[^\n]*)",
    ),
    (("secret",), r"\"data\":\s*\{([^{}]*)\},\s*\"kind\":\s*\"Secret\""),
    (("curl",), rf"\bcurl{COMMAND}(?:--cookie|-b)[ \t=]+[\"']?([^\s\"']+=[^\n\"']+)"),
    (
        ("token", "key", "sig", "secret", "credential", "pass", "pwd", "auth"),
        r"(?i)[?&#][\w.-]*(?:token|key|signature|sig|secret|credential|password|passwd|pwd|pass|auth)=([^\s&\"'#<>]+)",
    ),
)
BEGIN = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
END = re.compile(rb"-----END ")
END_PRIVATE = re.compile(rb"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
MAX_PEM_BYTES = 20_000  # of a private key with its lines' prefixes; an RSA key of 16,384 bits has 12,700
MIN_PEM_LINE_BYTES, MAX_PEM_LINE_BYTES = 40, 300
# A whole line of a key's body, as its lines are long: 64 columns, 70 (OpenSSH) or 76 (MIME).
BODY_LINE = re.compile(rb"(?m)(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})$")
BODY_PART = re.compile(rb"[A-Za-z0-9+/]{8,76}={0,2}\Z")  # of its first line, which was cut, or of its last
MIN_BODY_LINES = 2
KEY_LINE = re.compile(rb"[A-Za-z0-9+/=]{1,100}\Z|(?:Proc-Type|DEK-Info|Comment|Version|Hash):.*\Z")

NO_SECRETS = frozenset(
    [
        "none",
        "null",
        "nil",
        "true",
        "false",
        "yes",
        "no",
        "str",
        "string",
        "bytes",
        "int",
        "bool",
        "any",
        "optional",
        "required",
        "empty",
        "unset",
        "set",
        "default",
        "example",
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "key",
        "api_key",
        "your",
        "changed",
        "wrong",
        "incorrect",
        "invalid",
        "missing",
        "expired",
        "denied",
        "failed",
        "error",
        "not",
        "is",
        "and",
        "or",
        "for",
        "the",
        "an",
        "in",
    ]
)
PLACEHOLDER = re.compile(
    r"![\w!]*\Z|\$[({]|\$[A-Z_][A-Z0-9_]*\Z|%s|%\(|\{[^}]*\}?\Z|<[^>]*>?\Z|\[[^\]]*\]?\Z|[*x.•…_-]+\Z|your[_-]|os\.|self\.|args\.|cfg\.|config\.|"
    r"env\.|opt\.|settings\.",
    re.IGNORECASE,
)
CALL = re.compile(r"[A-Za-z_][\w.]{0,80}[(\[]")
MIN_PASSWORD_CHARS, MIN_SECRET_CHARS, MIN_RANDOM_CHARS = 3, 6, 16
MAX_JUDGED_CHARS = 200
MAX_RETRIED_BYTES = (
    256  # a value that is no secret may hold a name with one; a longer one is not searched again
)

Judge = Callable[[str, str, bool], bool]


def is_random(value: str) -> bool:
    """Whether a value was drawn rather than written: parts that mix letters and digits, or cases, as words
    don't.
    """
    if len(value) < MIN_RANDOM_CHARS:
        return False
    mixed = 0
    for part in re.split(r"[._\-/:+=~%]", value[:MAX_JUDGED_CHARS]):
        kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in part]
        steps = sum(1 for one, other in itertools.pairwise(kinds) if one != other)
        # CamelCase changes once or twice a word, `layer12` once; a drawn part at every second or third
        # character
        if len(part) >= 8 and steps >= 3 and steps * 4 >= len(part):
            return True
        mixed += steps if steps >= 2 and any(c.isdigit() for c in part) else 0
    return mixed >= 6


def _is_password(value: str, name: str, quoted: bool) -> bool:
    if len(value) < MIN_PASSWORD_CHARS or value.lower().strip(".!?:") in NO_SECRETS:
        return False
    if PLACEHOLDER.match(value) or (not quoted and CALL.match(value)):
        return False
    return not (name.lower().endswith("pwd") and value[0] in "/\\~")  # the shell's working directory


def _is_chosen(value: str, name: str, quoted: bool) -> bool:
    """A password that nobody would write for something else: no words, no name."""
    shown = value[:MAX_JUDGED_CHARS]
    chosen = any(c.isdigit() for c in shown) and any(c.isalpha() for c in shown)
    return chosen and not any(c.isspace() for c in shown) and _is_password(value, name, quoted)


def _is_secret(value: str, name: str, quoted: bool) -> bool:
    return len(value) >= MIN_SECRET_CHARS and _is_password(value, name, quoted)


def _is_setting(value: str, name: str, quoted: bool) -> bool:
    has_digit = any(c.isdigit() for c in value[:MAX_JUDGED_CHARS])
    return _is_secret(value, name, quoted) and has_digit and (value.isalnum() or is_random(value))


def _is_said(value: str, name: str, quoted: bool) -> bool:
    has_digit = any(c.isdigit() for c in value[:MAX_JUDGED_CHARS])
    return _is_password(value, name, quoted) and (quoted or has_digit)


def _is_weak(value: str, name: str, quoted: bool) -> bool:
    is_mixed = (
        len(value) >= MIN_RANDOM_CHARS and value.isalnum() and not value.isalpha() and not value.isdigit()
    )
    return (is_mixed or is_random(value)) and _is_password(value, name, quoted)


def _is_whole(value: str, name: str, quoted: bool) -> bool:
    return not PLACEHOLDER.match(value)


FORMS: tuple[tuple[Judge, tuple[tuple[tuple[str, ...], str], ...]], ...] = (
    (_is_password, PASSWORD_FORMS),
    (_is_chosen, PAIRED_FORMS),
    (_is_said, SENTENCE_FORMS),
    (_is_secret, SECRET_FORMS),
    (_is_setting, SETTING_FORMS),
    (_is_weak, WEAK_FORMS),
    (_is_whole, WHOLE_FORMS),
)


@lru_cache(maxsize=1)
def patterns() -> tuple[tuple[tuple[bytes, ...], re2._Regexp, Judge], ...]:
    """(keywords, pattern, judge) of every form, compiled once."""
    return tuple(
        (tuple(keyword.encode() for keyword in keywords), compiled(pattern), judge)
        for judge, forms in FORMS
        for keywords, pattern in forms
    )


def compiled(pattern: str) -> re2._Regexp:
    """An RE2 pattern for UTF-8 bytes, in which ^ and $ are the ends of lines."""
    options = re2.Options()
    options.log_errors = False
    return re2.compile(f"(?m){pattern}", options)


def find(data: bytes, lower: bytes) -> Iterator[Span]:
    """Spans of `data` that hold a secret; `lower` is `data` in lower case."""
    for keywords, pattern, judge in patterns():
        if any(keyword in lower for keyword in keywords):
            yield from _judged(data, pattern, judge)
    for url in urls(data):
        if url.user is not None:
            yield url.user
    yield from private_keys(data)
    yield from key_bodies(data)


def _judged(data: bytes, pattern: re2._Regexp, judge: Judge) -> Iterator[Span]:
    place = 0
    while True:
        match = pattern.search(data, place)
        if match is None:
            return
        start, end = next(
            match.span(group) for group in range(pattern.groups, 0, -1) if match.span(group)[0] >= 0
        )
        quoted = data[start - 1 : start] in (b'"', b"'", b"`")
        if quoted and data[end : end + 1] != data[start - 1 : start]:  # never closed: no more than one word
            quoted = False
            end = start + len((data[start:end].split(None, 1) or [b""])[0])
        elif quoted and data[start - 2 : start - 1] != b"\\":
            end = _closed(data, start, end)
        value = data[start:end].rstrip(b"\\" if quoted else b"\\)]}>.:")
        end = start + len(value)
        name = data[max(match.start(), start - 40) : start].decode(errors="ignore").rstrip(" \t\"'`:=>\\")
        if judge(value.decode(errors="ignore"), name, quoted):
            yield start, end
            place = max(end, match.start() + 1)
        elif match.end() - start <= MAX_RETRIED_BYTES:
            place = max(start, match.start() + 1)
        else:
            place = match.end()


def _closed(data: bytes, start: int, end: int) -> int:
    """Where a string ends whose first quotation mark behind `start` is at `end`: that one may be escaped."""
    mark = data[end]
    while end < start + MAX_RETRIED_BYTES and _is_escaped(data, start, end):
        following = data.find(mark, end + 1, start + MAX_RETRIED_BYTES)
        if following < 0 or b"\n" in data[end:following]:
            break
        end = following
    return end


def _is_escaped(data: bytes, start: int, end: int) -> bool:
    before = data[start:end]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def private_keys(data: bytes) -> Iterator[Span]:
    """What stands between the frames of private keys; where the end is missing, the lines that look like a
    key's.
    """
    if b"PRIVATE KEY" not in data:
        return
    ends = [match.start() for match in END.finditer(data)]
    done, framed = 0, set()
    for match in BEGIN.finditer(data):
        start = match.end()
        if start < done:
            continue
        number = bisect_left(ends, start)
        if number < len(ends) and ends[number] - start <= MAX_PEM_BYTES:
            done = ends[number]
            framed.add(done)
        else:
            done = _end_of_lines(data, start)
        if done > start:
            yield start, done
    covered = -1
    for match in END_PRIVATE.finditer(data):
        start = _start_of_lines(data, match.start(), covered)
        if match.start() not in framed and start < match.start():
            yield start, match.start()
        covered = match.end()


def key_bodies(data: bytes) -> Iterator[Span]:
    """Lines of a key without its frame, as where a log shows its middle: several of one length in base64,
    with what is left of the line before and the one behind.
    """
    spans = [match.span() for match in BODY_LINE.finditer(data) if _is_mixed(match[0])]
    first = 0
    while first < len(spans):
        last = first
        while last + 1 < len(spans) and data.count(b"\n", spans[last][1], spans[last + 1][0]) == 1:
            last += 1
        if last - first + 1 >= MIN_BODY_LINES:
            (start, line), end = spans[first], spans[last][1]
            line = data.rfind(b"\n", 0, start)
            before = data[
                data.rfind(b"\n", max(0, line - MAX_PEM_LINE_BYTES), max(0, line)) + 1 : max(0, line)
            ]
            behind = data[end + 1 : _line_end(data, end + 1)][:MAX_PEM_LINE_BYTES]
            if (words := before.split()) and BODY_PART.match(words[-1]) and _is_mixed(words[-1]):
                start = line - len(before) + before.rfind(words[-1])
            if (words := behind.split()) and BODY_PART.match(words[-1]) and _is_mixed(words[-1]):
                end += 1 + behind.rfind(words[-1]) + len(words[-1])
            yield start, end
        first = last + 1


def _is_mixed(word: bytes) -> bool:
    """Whether it has letters of both cases and digits."""
    return not word.islower() and not word.isupper() and any(48 <= code < 58 for code in word)


def _start_of_lines(data: bytes, end: int, floor: int) -> int:
    """Where the lines of a key begin that stand before its end: for keys whose beginning was cut off.

    Its last line may be a short one.
    """
    first = start = place = data.rfind(b"\n", 0, end) + 1
    limit = max(0, floor, end - MAX_PEM_BYTES)
    while place > limit:
        before = data.rfind(b"\n", limit, place - 1) + 1 or limit
        words = data[before:place].split() if place - before <= MAX_PEM_LINE_BYTES else []
        if not words or not KEY_LINE.match(words[-1]):
            break
        if len(words[-1]) < MIN_PEM_LINE_BYTES and place < first:
            break
        start = place = before
    return start if first - start > MIN_PEM_LINE_BYTES else end


def _end_of_lines(data: bytes, start: int) -> int:
    """The end of the key's lines from `start` on: the rest of the line, then lines that end in a run of
    base64.
    """
    end = place = _line_end(data, start)
    limit = start + MAX_PEM_BYTES
    while place < min(len(data), limit):
        line_end = _line_end(data, place + 1)
        if line_end - place > MAX_PEM_LINE_BYTES:
            break
        words = data[place:line_end].split()
        if words and not KEY_LINE.match(words[-1]) and not KEY_LINE.match(data[place:line_end].strip()):
            break
        place = line_end
        end = line_end if words else end
    return end


def _line_end(data: bytes, start: int) -> int:
    found = data.find(b"\n", start)
    return len(data) if found < 0 else found
