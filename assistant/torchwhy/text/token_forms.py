"""What secrets look like: tokens by the forms that services publish, and values by the name that they stand
under. A table alone; `exits` searches it.

Many prefixes, alphabets and lengths, and the names of services, are those of the rules of gitleaks 8 (MIT
License, see NOTICE). Minimum lengths are mostly shorter than the published ones: a token whose end was cut
off is still one. RE2 syntax. In a pattern with groups, the one that took part is the secret.
"""

from __future__ import annotations

# What follows, and the prefixes that it follows.
PREFIXED = r"""
\w{20,}  ghp_ gho_ ghu_ ghs_ ghr_ hf_ api_org_ whsec_ rpa_ esecret_ fw_ glsa_ npm_ r8_ gsk_ phx_ nfp_ pnu_
[\w+/=-]{20,}  github_pat_ wandb_v1_ pcsk_ dckr_pat_ dckr_oat_ sntrys_ sntryu_ CLOJARS_ CCIPAT_ GR1348941
[\w+/=-]{20,}  sb_secret_ ntn_ lin_api_ lin_oauth_ rnd_ pnb_ rdme_ AIza GOCSPX- HRKU- fo1_ fm2_ sha256~ tskey-
[\w-]{16,}(?:\.\w+)*  glpat- glptt- gldt- glrt- glrtr- glcbt- glft- glffct- glimt- glagent- gloas- glsoat-
[\w=-]{28,}  ATATT3 ATCTT3 AKCp cmVmd p8e- pypi-AgE CFPAT- fio-u- duffel_live_ duffel_test_ tfp_ figd_ oy2
\w{28,}  ATBB rubygems_ squ_ sqp_ sqa_ bkua_ sgp_ sbp_ pul- KGAT_ shippo_live_ shippo_test_
[\w+/-]{16,}  sk-proj- sk-svcacct- sk-admin- sk-ant- sk-or- sk-lf- sess- tvly- jina_ tgp_v1_ nvapi- AQVN ABSK
[A-Za-z0-9_-]{22,}  sk- pplx- xai- csk- pa- as-
[\w-]{30,}(?:\.\w+)?  lsv2_pt_ lsv2_sk_ ls__ secret_ ms-
[A-Za-z0-9]{12,}  AKIA ASIA ABIA ACCA A3T LTAI AKID GOOG1E npg_
[\w.=+/-]{24,}  ya29. dop_v1_ doo_v1_ dor_v1_ pscale_tkn_ pscale_oauth_ pscale_pw_ hvs. hvb. hvr. dt0c01.
[\w.=+/-]{24,}  v1.0- t1. 1//0 bedrock-api-key- bce-v3/ dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. sl.
[0-9a-zA-Z]{32,}  dapi dose SK AC 4b1d key- pubkey-
[\w.%-]{10,}  xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xapp- xoxc- xoxd-
[A-Za-z0-9]{16,}  sk_live_ rk_live_ pk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_ sk_ live_ tk-us-
[\w.-]{12,}  SG. xkeysib- sq0atp- sq0csp- EAAA EAAM EAAC shpat_ shpca_ shppa_ shpss_ FLWSECK- EZAK EZTK
[\w+/=.-]{20,}  PMAK- NRAK- NRII- NRJS- glc_ eyJrIjoi LS0tLS1CRUdJTi ops_ey A3- API- SCT xprv AGE-SECRET-KEY-1
[\w./+=,$-]{20,}  $2a$ $2b$ $2y$ $1$ $5$ $6$ $y$ $apr1$ $argon2id$ $argon2i$ pbkdf2_sha256$ access_token$
"""
# (what such a token contains, its pattern)
SHAPED: tuple[tuple[str, str], ...] = (
    ("eyJ", r"eyJ[\w-]{8,}(?:\.[\w+/=-]*){1,4}"),  # JSON web tokens, whole or cut
    ("Q~", r"[\w~.-]{3}[0-9]Q~[\w~.-]{24,}"),  # Azure
    (".atlasv1.", r"\w{14}\.atlasv1\.[\w-]{40,}"),
    (":A", r"\b[0-9]{8,10}:A[\w-]{32,}"),  # Telegram
    (".", r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"),  # Discord
    (".", r"\b[0-9a-f]{32}\.\w{16}\b"),  # Zhipu
    ("-us", r"\b[0-9a-f]{32}-us[0-9]{1,2}\b"),  # Mailchimp
    ("_mmk", r"\w{6}_\w{29}_mmk"),
    ("pat", r"\bpat\w{14}\.[0-9a-f]{64}"),  # Airtable
    ("at.", r"\b[ps]at\.[\w-]{22}\.\w{24}\.\w{20}"),  # Harness
    (" ", r"\b[3-6][0-9]{3} [0-9]{4} [0-9]{4} [0-9]{4}\b"),  # a bank's card
    ("AccountKey=", r"AccountKey=([\w+/=]{40,})"),
    ("FlyV1 ", r"FlyV1 (\S{20,})"),
    ("hooks.", r"hooks\.slack(?:-gov)?\.com/\w+/([\w+/-]{20,})"),
    ("/webhook", r"/webhooks?(?:b2)?/([^\s\"'<>]{20,})"),
    ("/hook/", r"/bot/v2/hook/([\w-]{20,})"),
    ("/t/", r"/t/([A-Za-z]{2}-[\w-]{20,})/"),  # conda's channels
    ("ingest", r"://([0-9a-f]{32})(?::[0-9a-f]{32})?@[\w.-]*ingest\."),  # Sentry
    ("PRIVATE KEY", r"(?s)-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(.*?)-----END"),
    ("PRIVATE KEY", r"-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:[\s\\n|>\"',]*[\w+/=]{16,})+)"),
)
SERVICES = (
    "adafruit|adobe|airtable|algolia|alibaba|anyscale|asana|atlassian|beamer|bitbucket|bittrex|cloudflare|"
    "codecov|cohere|coinbase|comet|confluent|contentful|datadog|discord|droneci|dropbox|elastic|facebook|"
    "fastly|finicity|finnhub|flickr|gitter|gocardless|grafana|heroku|hubspot|infracost|intercom|jfrog|kaggle|"
    "kraken|kucoin|launchdarkly|linear|linkedin|looker|mailchimp|mailgun|mapbox|mattermost|meraki|"
    "mistral|neptune|netlify|newrelic|new_relic|nytimes|okta|plaid|rapidapi|roboflow|sendbird|sentry|serpapi|"
    "snyk|sonar|squarespace|sumo|telegram|travis|twilio|twitch|twitter|vercel|wandb|yandex|zendesk"
)

QUOTE = r"\\*[\"'`]"
VALUE = r"(?:\\*\"([^\"\n]+)|\\*'([^'\n]+)|\\*`([^`\n]+)|([^\s\"'`,;&|<>]+))"
QUOTED = r"(?:[rbuf]{1,2})?(?:\\*\"([^\"\n]+)|\\*'([^'\n]+))"
EQUALS = r"(?:=>|:[ \t]*[a-z_.\[\]]{1,40}[ \t]*=|[:=]{1,2}|：|＝|&#61;|%3[aAdD])"
IS = rf"(?:{QUOTE})?[\])]?[ \t]*{EQUALS}[ \t]*(?:[rbuf]{{1,2}}(?:[\"']))?"
PASSWORD = r"(?:pass(?:word|wd|phrase|code|wort|wrd)|pwd|\bpw)"  # noqa: S105 (names)
FOREIGN = "kennwort|contraseña|mot de passe|senha|hasło|wachtwoord|пароль|비밀번호|パスワード"
KEY = (
    r"(?:key|token|secret|auth|credentials?|sig|signature|session[_-]?id|sid|cookie|pat|salt|jwt|dsn|"
    rf"api[_-]?id|_pass|_pw|[_-]data|{SERVICES})"
)
HAN_NAMES = "密 ?码|口令|密钥|令牌|密碼|金鑰"
IN_WORDS = r"(?:[ \t]+(?:for|of)[ \t][^\n:]{1,120}:|[ \t]+(?:is|was|by)|(?:是|为))?[ \t]+"
QUERY = "sig|signature|key|token|secret|credential|auth|code|session|jwt|sas|appid"
TO_A_USER = r"(?:-[a-zA-Z]{0,5}[ua]|--user|--auth)[= ]*[\"']?[^\s\"':]*:"  # curl -u bob:
OPTION = rf"(?:=|[ \t]+|{QUOTE}[ \t]*,[ \t]*)"
PAIR = rf"\(?[\"']?[ \t]*[=:]?[ \t]*\(?[ \t]*{QUOTE}[^\"'\n]{{1,100}}{QUOTE}[ \t]*,[ \t]*{QUOTED}"
NAMED_SO = rf"\b(?:name|key){IS}(?:{QUOTE})?[\w.-]*{PASSWORD}(?:{QUOTE})?,?\s{{1,40}}(?:{QUOTE})?"
# (one of these stands in the lower-case text, the pattern, which values: any, those that mix letters and
# digits, those that were drawn)
NAMED: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (tuple(FOREIGN.split("|")), rf"(?i)(?:{FOREIGN}){IS}{VALUE}", "any"),
    (("val",), rf"(?i){NAMED_SO}val(?:ue)?{IS}{VALUE}", "any"),  # {"name": "DB_PASSWORD", "value": "..."}
    (("echo",), rf"\becho[ \t]+{VALUE}[\"']?[ \t]*\|[ \t]*(?:sudo|kinit|docker|gh|podman)\b", "any"),
    (
        ("login", "zip", "7z", "dap"),
        rf"\b(?:login|unzip|7z|ldap\w+)[^\n|;]*?[ \t]-[pPw][ \t]*{VALUE}",
        "any",
    ),
    (("pass", "pwd", "pw"), rf"(?i){PASSWORD}s?[0-9]?{IS}{VALUE}", "any"),
    (("pass", "pwd"), rf"(?i){PASSWORD}(?:{QUOTE}[ \t]*,\s{{0,60}}|\([ \t]*){QUOTED}", "mixed"),
    (("pass", "pwd"), rf"(?i)--?[\w.-]*(?:pass(?:word|wd|phrase)?|pwd){OPTION}{VALUE}", "any"),
    (("pass",), rf"(?i)\b(?:login|user|account|machine)\s+\S+\s+pass(?:word)?:?\s+{VALUE}", "any"),  # .netrc
    (("pass",), rf"(?i){PASSWORD}{IN_WORDS}{VALUE}", "mixed"),
    (("identified", "requirepass"), rf"(?i)\b(?:identified by|requirepass)[ \t]+{VALUE}", "any"),
    (("密", "口令", "令牌"), rf"(?:{HAN_NAMES})(?:是|为|為|填的)?[ \t]*[：:＝=]?[ \t]*([!-~]{{4,}})", "any"),
    (("auth",), rf"(?i)\b(?:proxy-)?(?:authorization|_auth){IS}{QUOTE}?(?:[A-Za-z-]+[ \t]+)?{VALUE}", "any"),
    (("auth",), rf"(?i)auth{PAIR}", "any"),  # auth=("bob", "...")
    (("bearer", "basic"), r"(?i)\b(?:bearer|basic)[ \t]+([\w+/=.~-]{8,})", "mixed"),
    (("cookie",), r"(?i)\bcookie[\"']?[ \t]*:[ \t]*([^\n\"']{4,})", "any"),
    (("://",), r"://[^\s/@:\"'<>]*:([^\s/\"'<>]+)@", "any"),
    (("://",), r"://([^\s/@:\"'<>]{12,})@", "any"),
    (("=",), rf"(?i)[?&;][\w.-]*(?:{QUERY})=([^\s&\"'<>#]{{6,}})", "mixed"),
    (("curl", "http", "wget"), rf"\b(?:curl|https?|wget)[ \t][^\n|;]*?{TO_A_USER}{VALUE}", "any"),
    (("sshpass",), rf"\bsshpass[ \t]+-p[ \t]*{VALUE}", "any"),
    (("mysql", "mariadb"), rf"\b(?:mysql|mariadb)\w*[ \t][^\n|;]*?-p{VALUE}", "any"),
    (("redis-cli",), rf"\bredis-cli[ \t][^\n|;]*?-a[ \t]+{VALUE}", "any"),
    (
        ("value", ">"),
        rf"(?i)(?:{PASSWORD}|key|token|secret)\"[^<>\n]{{0,60}}(?:value=\"|>)([^<>\"\n]+)",
        "mixed",
    ),
    (("<",), rf"(?i)<[\w:]*{PASSWORD}[^<>\n]{{0,60}}>([^<>\n]+)<", "any"),
    ((":",), r"^[\w.*-]+:(?:[0-9]{2,5}|\*):[^:\s]+:[^:\s]+:(\S+)$", "any"),  # .pgpass
    (("secret",), rf"(?i)secret(?:[_-]?key)?{IS}{QUOTED}", "any"),
    (
        ("token", "key", "cred", "pass"),
        rf"(?i)(?:token|api_?key|credentials?|\bpass|_pass){IS}{QUOTED}",
        "mixed",
    ),
    ((), rf"(?i){KEY}(?:[_-]?(?:id|key|token|base64))?{IS}{VALUE}", "drawn"),
    (("key", "token", "secret"), rf"(?i)(?:key|token|secret){QUOTE}[ \t]*,\s{{0,60}}{QUOTED}", "drawn"),
    (("key", "token", "secret", "auth"), rf"(?i)--?[\w.-]*(?:key|token|secret|auth){OPTION}{VALUE}", "drawn"),
    (("key", "token", "secret"), rf"(?i)\b(?:key|token|secret)(?:[ \t]+is)?[ \t]+{VALUE}", "drawn"),
)
