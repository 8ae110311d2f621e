"""What secrets look like: the beginnings of the commonest tokens, keys in PEM, and values by the name or the
place that they stand under. A table alone; `exits` searches it, and knows other tokens as nobody's words.

RE2 syntax. In a pattern with groups, the one that took part is the secret.
"""

from __future__ import annotations

# A token whose end was cut off, or that holds few digits, is one by its beginning.
BEGINNINGS = (
    "AIza GOCSPX- ya29. gh[opsur]_ github_pat_ glpat- hf_ pypi-AgE nvapi- wandb_v1_"
    " sk-(?:proj|ant|or|svcacct)- xox[a-z]- eyJ SG. hv[sbr]."
)
TOKENS: tuple[tuple[str, str], ...] = (
    ("A", r"\b(?:AKIA|ASIA|ABIA|ACCA|LTAI)[A-Za-z0-9]{12,}"),
    ("", rf"\b(?:{'|'.join(BEGINNINGS.replace('. ', '[.] ').split())})[\w+/=-]{{20,}}[\w+/=.-]*"),
    ("PRIVATE KEY", r"(?s)-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(.*?)-----END"),
    ("PRIVATE KEY", r"-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:[\s\\n|>\"',]*[\w+/=]{16,})+)"),
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
    r"api[_-]?id|_pass|_pw|[_-]data)"
)
HAN_NAMES = "密 ?码|口令|密钥|令牌|密碼|金鑰"
IN_WORDS = r"(?:[ \t]+(?:for|of)[ \t][^\n:]{1,120}:|[ \t]+(?:is|was|by)|(?:是|为))?[ \t]+"
QUERY = "sig|signature|key|token|secret|credential|auth|code|session|jwt|sas|appid"
COMMANDS = "curl https? wget \\w*login unzip 7z ldap\\w+ sshpass mysql\\w* mariadb\\w* redis-cli".replace(
    " ", "|"
)
# -p VALUE, and curl -u bob:VALUE
GIVEN = r"(?:-[pPwa][ \t]*|(?:-[a-zA-Z]{0,5}[ua]|--user|--auth)[= ]*[\"']?[^\s\"':]*:)"
OPTION = rf"(?:=|[ \t]+|{QUOTE}[ \t]*,[ \t]*)"
PAIR = rf"\(?[\"']?[ \t]*[=:]?[ \t]*\(?[ \t]*{QUOTE}[^\"'\n]{{1,100}}{QUOTE}[ \t]*,[ \t]*{QUOTED}"
NAMED_SO = rf"\b(?:name|key){IS}(?:{QUOTE})?[\w.-]*{PASSWORD}(?:{QUOTE})?,?\s{{1,40}}(?:{QUOTE})?"
# (one of these stands in the lower-case text, the pattern, which values: any, those that mix letters and
# digits, those that were drawn)
NAMED: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("val",), rf"(?i){NAMED_SO}val(?:ue)?{IS}{VALUE}", "any"),  # {"name": "DB_PASSWORD", "value": "..."}
    (("echo",), rf"\becho[ \t]+{VALUE}[\"']?[ \t]*\|[ \t]*(?:sudo|kinit|docker|gh|podman)\b", "any"),
    (("-",), rf"\b(?:{COMMANDS})[ \t](?:[^\n|;]*?[ \t])??{GIVEN}{VALUE}", "any"),
    (("pass", "pwd", "pw", *FOREIGN.split("|")), rf"(?i)(?:{PASSWORD}s?[0-9]?|{FOREIGN}){IS}{VALUE}", "any"),
    (("pass", "pwd"), rf"(?i){PASSWORD}(?:{QUOTE}[ \t]*,\s{{0,60}}|\([ \t]*){QUOTED}", "mixed"),
    (("pass", "pwd"), rf"(?i)--?[\w.-]*(?:pass(?:word|wd|phrase)?|pwd){OPTION}{VALUE}", "any"),
    (("pass",), rf"(?i)\b(?:login|user|account|machine)\s+\S+\s+pass(?:word)?:?\s+{VALUE}", "any"),  # .netrc
    (("pass",), rf"(?i){PASSWORD}{IN_WORDS}{VALUE}", "mixed"),
    (("密", "口令", "令牌"), rf"(?:{HAN_NAMES})(?:是|为|為|填的)?[ \t]*[：:＝=]?[ \t]*([!-~]{{4,}})", "any"),
    (("auth",), rf"(?i)\b(?:proxy-)?(?:authorization|_auth){IS}{QUOTE}?(?:[A-Za-z-]+[ \t]+)?{VALUE}", "any"),
    (("auth",), rf"(?i)auth{PAIR}", "any"),  # auth=("bob", "...")
    (("bearer", "basic"), r"(?i)\b(?:bearer|basic)[ \t]+([\w+/=.~-]{8,})", "mixed"),
    (("cookie",), r"(?i)\bcookie[\"']?[ \t]*:[ \t]*([^\n\"']{4,})", "any"),
    (("://",), r"://[^\s/@:\"'<>]*:([^\s/\"'<>]+)@", "any"),
    (("://",), r"://([^\s/@:\"'<>]{12,})@", "any"),
    (("=",), rf"(?i)[?&;][\w.-]*(?:{QUERY})=([^\s&\"'<>#]{{6,}})", "mixed"),
    (
        ("value", ">"),
        rf"(?i)(?:{PASSWORD}|key|token|secret)\"[^<>\n]{{0,60}}(?:value=\"|>)([^<>\"\n]+)",
        "mixed",
    ),
    (("<",), rf"(?i)<[\w:]*{PASSWORD}[^<>\n]{{0,60}}>([^<>\n]+)<", "any"),
    ((":",), r"^[\w.*-]+:(?:[0-9]{2,5}|\*):[^:\s]+:[^:\s]+:(\S+)$", "any"),  # .pgpass
    ((), rf"(?i){KEY}(?:[_-]?(?:id|key|token|base64))?{IS}{VALUE}", "drawn"),
    (("key", "token", "secret"), rf"(?i)(?:key|token|secret){QUOTE}[ \t]*,\s{{0,60}}{QUOTED}", "drawn"),
    (("key", "token", "secret", "auth"), rf"(?i)--?[\w.-]*(?:key|token|secret|auth){OPTION}{VALUE}", "drawn"),
    (("key", "token", "secret"), rf"(?i)\b(?:key|token|secret)(?:[ \t]+is)?[ \t]+{VALUE}", "drawn"),
)
