"""Tokens that give themselves away by their form: prefixes, alphabets and lengths as the services publish
them.

Some prefixes and lengths were checked against, or taken from, the rules of gitleaks 8 (MIT License, see
NOTICE). Minimum lengths are mostly shorter than the published ones: a token whose end was cut off is still
one. RE2 syntax.
"""

from __future__ import annotations

A = "[A-Za-z0-9]"
U = "[A-Za-z0-9_-]"  # base64url
H = "[0-9a-fA-F]"

# (what every such token contains, its pattern). The first is looked for with `in`, so that a pattern runs
# only over texts that can hold it. A pattern with a group: the group is the secret.
TOKEN_FORMS: tuple[tuple[str, str], ...] = (
    # code hosts
    ("ghp_", rf"ghp_{A}{{20,}}"),
    ("gho_", rf"gho_{A}{{20,}}"),
    ("ghu_", rf"ghu_{A}{{20,}}"),
    ("ghs_", rf"ghs_{A}{{20,}}"),
    ("ghr_", rf"ghr_{A}{{20,}}"),
    ("github_pat_", r"github_pat_\w{20,}"),
    ("glpat-", rf"glpat-{U}{{16,}}(?:\.{U}+)*"),
    ("gldt-", rf"gldt-{U}{{16,}}"),
    ("glrt-", rf"glrt-{U}{{16,}}"),
    ("glrtr-", rf"glrtr-{U}{{16,}}"),
    ("glcbt-", rf"glcbt-{U}{{16,}}"),
    ("glptt-", rf"glptt-{U}{{16,}}"),
    ("glft-", rf"glft-{U}{{16,}}"),
    ("glimt-", rf"glimt-{U}{{16,}}"),
    ("glagent-", rf"glagent-{U}{{16,}}"),
    ("gloas-", rf"gloas-{U}{{16,}}"),
    ("glsoat-", rf"glsoat-{U}{{16,}}"),
    ("GR1348941", rf"GR1348941{U}{{16,}}"),
    ("ATATT3", rf"ATATT3{U}{{50,}}=?{A}*"),
    ("ATCTT3", rf"ATCTT3{U}{{50,}}=?{A}*"),
    ("ATBB", rf"ATBB{A}{{28,}}"),
    # models and experiments
    ("hf_", rf"hf_{A}{{20,}}"),
    ("api_org_", rf"api_org_{A}{{20,}}"),
    ("sk-", rf"sk-(?:proj|svcacct|service|admin|ant|or|lf|lf-us|None)-{U}{{16,}}"),
    ("sk-", rf"sk-{A}{{30,}}"),
    ("sess-", rf"sess-{A}{{30,}}"),
    ("gsk_", rf"gsk_{A}{{30,}}"),
    ("r8_", rf"r8_{A}{{30,}}"),
    ("xai-", rf"xai-{A}{{40,}}"),
    ("pplx-", rf"pplx-{A}{{30,}}"),
    ("nvapi-", rf"nvapi-{U}{{30,}}"),
    ("lsv2_", rf"lsv2_(?:pt|sk)_{H}{{16,}}_{H}+"),
    ("ls__", rf"ls__{H}{{32,}}"),
    ("pcsk_", r"pcsk_\w{40,}"),
    ("rpa_", rf"rpa_{A}{{30,}}"),
    ("fw_", rf"fw_{A}{{22,}}"),
    ("tgp_v1_", rf"tgp_v1_{U}{{30,}}"),
    ("csk-", rf"csk-{A}{{40,}}"),
    ("sk_", rf"\bsk_{H}{{48}}\b"),  # ElevenLabs
    ("pa-", rf"\bpa-{U}{{43}}\b"),  # Voyage
    ("as-", rf"\bas-{A}{{22}}\b"),  # Modal
    ("secret_", rf"\bsecret_\w{{1,60}}_{H}{{32}}\.{A}{{32}}\b"),  # Lambda
    ("jina_", rf"jina_{U}{{40,}}"),
    ("tvly-", rf"tvly-{U}{{20,}}"),
    ("wandb_v1_", r"wandb_v1_\w{20,}"),
    ("KGAT_", rf"KGAT_{H}{{24,}}"),
    ("ms-", rf"\bms-{H}{{8}}-{H}{{4}}-{H}{{4}}-{H}{{4}}-{H}{{12}}"),
    ("AQVN", rf"AQVN{U}{{30,}}"),
    (".", rf"\b{H}{{32}}\.{A}{{16}}\b"),  # Zhipu
    # clouds
    ("AKIA", r"AKIA[A-Z0-9]{16}"),
    ("ASIA", r"ASIA[A-Z0-9]{16}"),
    ("ABIA", r"ABIA[A-Z0-9]{16}"),
    ("ACCA", r"ACCA[A-Z0-9]{16}"),
    ("A3T", r"\bA3T[A-Z0-9]{17}"),
    ("ABSK", r"ABSK[A-Za-z0-9+/]{80,}=*"),
    ("bedrock-api-key-", r"bedrock-api-key-[A-Za-z0-9+/=_-]{20,}"),
    ("AIza", rf"AIza{U}{{30,}}"),
    ("ya29.", r"ya29\.[A-Za-z0-9_.-]{20,}"),
    ("GOCSPX-", rf"GOCSPX-{U}{{20,}}"),
    ("1//0", rf"\b1//0{U}{{30,}}"),
    ("Q~", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{24,}"),
    ("LTAI", rf"LTAI{A}{{12,}}"),
    ("GOOG1E", r"GOOG1E[A-Z0-9]{40,}"),
    ("bce-v3/", rf"bce-v3/ALTAK-{A}{{16,}}/{H}{{32,}}"),
    ("AKID", rf"AKID{A}{{13,}}"),
    ("t1.", rf"\bt1\.{U}+=*\.{U}{{60,}}=*"),
    ("dop_v1_", rf"dop_v1_{H}{{32,}}"),
    ("doo_v1_", rf"doo_v1_{H}{{32,}}"),
    ("dor_v1_", rf"dor_v1_{H}{{32,}}"),
    ("v1.0-", rf"\bv1\.0-{H}{{24}}-{H}{{60,}}"),
    ("HRKU-", rf"HRKU-{U}{{30,}}"),
    ("nfp_", rf"nfp_{A}{{30,}}"),
    ("fo1_", rf"fo1_{U}{{40,}}"),
    ("FlyV1 ", r"FlyV1 (\S{20,})"),
    ("fm2_", r"fm2_[A-Za-z0-9+/]{60,}=*"),
    ("sbp_", rf"sbp_{H}{{30,}}"),
    ("sb_secret_", rf"sb_secret_{U}{{20,}}"),
    ("pscale_", r"pscale_(?:tkn|oauth|pw)_[\w.=-]{24,}"),
    ("npg_", rf"npg_{A}{{10,}}"),
    ("dapi", rf"dapi{H}{{32}}(?:-[0-9])?"),
    ("dose", rf"dose{H}{{32}}"),
    ("ibmcloud", rf"ibmcloud_api_key\W+({U}{{40,}})"),
    ("sha256~", rf"sha256~{U}{{40,}}"),
    ("tskey-", rf"tskey-[a-z]+-{A}+(?:-{A}+)?"),
    ("4b1d", rf"\b4b1d{A}{{38}}\b"),
    # chats
    ("xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}"),
    ("xapp-", r"xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    ("hooks.slack-gov.com", r"hooks\.slack-gov\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})"),
    ("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})"),
    ("/webhooks/", rf"/api/(?:v[0-9]+/)?webhooks/([0-9]+/{U}{{20,}})"),
    (".webhook.office.com", r"\.webhook\.office\.com/webhookb2/([^\s\"'<>]{20,})"),
    ("oapi.dingtalk.com", r"oapi\.dingtalk\.com/robot/send\?access_token=([0-9a-zA-Z]{20,})"),
    ("qyapi.weixin", r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=([0-9a-zA-Z-]{20,})"),
    ("open.feishu.cn", r"open\.feishu\.cn/open-apis/bot/v2/hook/([0-9a-zA-Z-]{20,})"),
    ("open.larksuite", r"open\.larksuite\.com/open-apis/bot/v2/hook/([0-9a-zA-Z-]{20,})"),
    ("SEC", rf"\bSEC{H}{{64}}\b"),  # signs for DingTalk
    ("SCT", rf"\bSCT[0-9]{{1,9}}T{A}{{20,}}"),  # ServerChan
    (".", rf"\b[MNO]{U}{{23,27}}\.{U}{{6}}\.{U}{{27,}}"),  # Discord
    (":A", rf"\b[0-9]{{8,10}}:A{U}{{32,}}"),  # Telegram
    ("/bot", rf"/bot([0-9]{{8,10}}:A{U}{{32,}})"),  # the same in an address
    # payment, mail, shops
    ("k_live_", rf"[sr]k_live_{A}{{10,}}"),
    ("k_test_", rf"[sr]k_test_{A}{{10,}}"),
    ("k_prod_", rf"[sr]k_prod_{A}{{10,}}"),
    ("whsec_", rf"whsec_{A}{{20,}}"),
    ("SK", rf"\bSK{H}{{32}}\b"),
    ("AC", r"\bAC[0-9a-f]{32}\b"),
    ("SG.", rf"SG\.{U}{{16,}}\.{U}{{16,}}"),
    ("key-", rf"\bkey-{H}{{32}}\b"),
    ("-us", r"\b[0-9a-f]{32}-us[0-9]{1,2}\b"),
    ("xkeysib-", rf"xkeysib-{H}{{32,}}-{A}+"),
    ("sq0", rf"sq0[a-z]{{3}}-{U}{{20,}}"),
    ("EAAA", rf"\bEAAA{U}{{50,}}"),
    ("EAA", rf"\bEAA[MC]?{A}{{80,}}"),
    ("shp", rf"shp(?:at|ca|pa|ss|ua)_{H}{{32}}"),
    ("access_token$", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("FLWSECK", rf"FLWSECK(?:_TEST)?-{A}{{12,}}"),
    ("EZAK", rf"\bEZ[AT]K{A}{{40,}}"),
    ("EZTK", rf"\bEZ[AT]K{A}{{40,}}"),
    ("shippo_", rf"shippo_(?:live|test)_{H}{{30,}}"),
    ("duffel_", rf"duffel_(?:test|live)_{U}{{30,}}"),
    # packages and builds
    ("npm_", rf"npm_{A}{{30,}}"),
    ("pypi-", rf"pypi-AgE{U}{{40,}}"),
    ("dckr_", rf"dckr_[a-z]+_{U}{{20,}}"),
    ("rubygems_", rf"rubygems_{H}{{40,}}"),
    ("CLOJARS_", rf"CLOJARS_{A}{{40,}}"),
    ("/t/", rf"/t/([A-Za-z]{{2}}-{U}{{20,}})"),  # conda's channels
    ("oy2", r"\boy2[a-z0-9]{43}\b"),
    ("AKCp", rf"AKCp{A}{{60,}}"),
    ("cmVmd", rf"cmVmd{A}{{50,}}"),
    ("CCIPAT_", rf"CCIPAT_{A}+_{H}{{30,}}"),
    ("bkua_", rf"bkua_{H}{{30,}}"),
    ("pnu_", rf"pnu_{A}{{30,}}"),
    ("pnb_", rf"pnb_{A}{{30,}}"),
    ("squ_", rf"squ_{H}{{30,}}"),
    ("sqp_", rf"sqp_{H}{{30,}}"),
    ("sqa_", rf"sqa_{H}{{30,}}"),
    ("sgp_", rf"sgp_(?:(?:{H}{{16}}|local)_)?{H}{{40}}"),
    # secrets' own stores
    ("hvs.", rf"hvs\.{U}{{20,}}"),
    ("hvb.", rf"hvb\.{U}{{20,}}"),
    ("hvr.", rf"hvr\.{U}{{20,}}"),
    (".atlasv1.", rf"{A}{{14}}\.atlasv1\.{U}{{40,}}"),
    ("pul-", rf"pul-{H}{{40}}"),
    ("dp.", rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:{U}+\.)?{A}{{40,}}"),
    ("ops_ey", r"ops_ey[A-Za-z0-9+/_-]{60,}=*"),
    ("A3-", r"\bA3-[A-Z0-9]{6}-[A-Z0-9-]{22,}"),
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("xprv", rf"\bxprv{A}{{90,}}"),  # a wallet
    ("p8e-", rf"\bp8e-{A}{{32}}"),
    # passwords' hashes, and a private key packed once more
    ("$2", r"\$2[abxy]?\$[0-9]{2}\$[A-Za-z0-9./]{53}"),
    ("$", r"\$(?:1|5|6|apr1|y|7|gy)\$[A-Za-z0-9./=,$]{0,60}\$[A-Za-z0-9./]{22,}"),
    ("$argon2", r"\$argon2(?:id|i|d)\$[A-Za-z0-9+/=,$]{20,}"),
    ("pbkdf2_", r"pbkdf2_sha[0-9]+\$[0-9]+\$\S{4,100}\$[A-Za-z0-9+/=]{20,}"),
    ("LS0tLS1CRUdJTi", r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}=*"),
    # the others
    ("ntn_", rf"ntn_{A}{{40,}}"),
    ("secret_", rf"\bsecret_{A}{{40,}}"),
    ("esecret_", rf"esecret_{A}{{20,}}"),  # Anyscale
    ("phx_", rf"\bphx_{A}{{30,}}"),  # PostHog
    ("CFPAT-", rf"CFPAT-{U}{{30,}}"),  # Contentful
    ("rnd_", rf"\brnd_{A}{{28,}}"),  # Render
    ("lin_", rf"lin_(?:api|oauth)_{A}{{32,}}"),
    ("fig", rf"\bfig[dour]_{U}{{36,}}"),
    ("PMAK-", rf"PMAK-{H}{{20,}}-{H}{{20,}}"),
    ("NRAK-", rf"NRAK-{A}{{20,}}"),
    ("NRII-", rf"NRII-{U}{{20,}}"),
    ("NRJS-", rf"NRJS-{A}{{16,}}"),
    ("glsa_", rf"glsa_{A}{{24,}}_{H}+"),
    ("glc_", r"glc_[A-Za-z0-9+/]{32,}=*"),
    ("eyJrIjoi", r"eyJrIjoi[A-Za-z0-9+/_-]{40,}=*"),
    ("sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("ingest", rf"://({H}{{32}})(?::{H}{{32}})?@[\w.-]*ingest\."),
    ("dt0c01.", rf"dt0c01\.{A}{{20,}}\.{A}{{50,}}"),
    ("pat", rf"\bpat{A}{{14}}\.{H}{{64}}"),
    ("tfp_", rf"tfp_{U}{{30,}}"),
    ("rdme_", rf"rdme_{A}{{50,}}"),
    ("fio-u-", rf"fio-u-{U}{{50,}}"),
    ("PRIVATE-TOKEN", rf"PRIVATE-TOKEN['\"]?\s*[:=]\s*['\"]?({U}{{16,}})"),
    ("_mmk", rf"{A}{{6}}_{A}{{29}}_mmk"),
    ("API-", r"\bAPI-[A-Z0-9]{26}\b"),
    ("sm_", rf"\bsm_[aps]at_{A}{{16}}"),
    ("eyJ", rf"eyJ{U}{{8,}}\.eyJ{U}{{8,}}(?:\.[\w+/=-]*)?"),  # JSON web tokens
    ("eyJ", rf"eyJ{U}{{8,}}\.{U}*\.{U}{{8,}}\.{U}{{8,}}\.{U}{{8,}}"),  # encrypted ones
)
# Prefixes this short, or of letters alone, also stand inside other words: not after a letter or a digit.
MIN_TELLING_CHARS = 4
# The beginning of a token at the end of a line, with nothing but the rest on the next one: as a terminal or a
# mail wraps it.
_BEGINS = "(?:gh[pousr]_|github_pat_|glpat-|hf_|sk-proj-|sk-ant-|gsk_|nvapi-|wandb_v1_|AIza)"
# and a table in its frame
WRAPPED = rf"{_BEGINS}({U}{{4,}}[ \t]*[│|\\]?\n[│|]?[ \t]*{U}{{8,}})['\"`,]*[ \t]*[│|]?[ \t]*(?:\n|$)"
