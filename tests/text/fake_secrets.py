"""More than 500 made-up secrets of more than 100 kinds, each in a place where such a secret is met.

Every value is drawn from a seeded generator when the tests run, so none stands in this file, and none was ever valid:
only lengths, alphabets and prefixes are those that the services publish. `KINDS` was written from those publications
before the rules that it tests; `EXPLOITS` are values in the disguises that got past earlier rules.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits


class Fake:
    """Random parts of secrets; `secrets` collects those that must not be readable afterwards."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.secrets: list[str] = []

    def chars(self, alphabet: str, count: int) -> str:
        value = "".join(self.random.choices(alphabet, k=count))
        # a letter and a digit at the ends, so that every value has both and none begins with a mark
        value = (
            self.random.choice([c for c in alphabet if c.isalpha()])
            + value[1:-1]
            + self.random.choice([c for c in alphabet if c.isdigit()] or alphabet)
        )
        self.secrets.append(value)
        return value

    def hex(self, count: int) -> str:
        return self.chars(HEX, count)

    def alnum(self, count: int) -> str:
        return self.chars(ALNUM, count)

    def urlsafe(self, count: int) -> str:
        return self.chars(URLSAFE, count)

    def digits(self, count: int) -> str:
        """Numbers that are no secret by themselves."""
        return "".join(self.random.choices(string.digits[1:], k=count))

    def uuid(self) -> str:
        value = "-".join("".join(self.random.choices(HEX, k=count)) for count in (8, 4, 4, 4, 12))
        self.secrets.append(value)
        return value

    def password(self) -> str:
        """A password of a person: a word, a number, sometimes a mark."""
        value = (
            self.random.choice(["Winter", "hunter", "correcthorse", "Qwerty", "letmein", "tiger"])
            + self.random.choice(["", "_", "-", "."])
            + self.digits(self.random.randint(2, 5))
            + self.random.choice(["", "!", "#x", "Ab"])
        )
        self.secrets.append(value)
        return value

    def name(self) -> str:
        value = self.random.choice(["zkowalski", "mgarcia7", "tnakamura", "xiaoming88", "j.hofstetter"])
        self.secrets.append(value)
        return value

    def host(self) -> str:
        value = self.random.choice(["gpu-node17", "hpc-a100-03", "bigbox42", "dgx07-rack2"])
        self.secrets.append(value)
        return value

    def address(self) -> str:
        value = (
            f"10.{self.random.randint(20, 99)}.{self.random.randint(20, 250)}.{self.random.randint(20, 250)}"
        )
        self.secrets.append(value)
        return value

    def pem(self, label: str, newline: str = "\n", prefix: str = "") -> str:
        lines = [
            f"-----BEGIN {label}-----",
            *(self.chars(ALNUM + "+/", 64) for _ in range(4)),
            f"-----END {label}-----",
        ]
        return newline.join(prefix + line for line in lines)


Form = Callable[[Fake], str]

# A value that its prefix gives away, wherever it stands.
PREFIXED: dict[str, Form] = {
    "GitHub classic token": lambda f: "ghp_" + f.alnum(36),
    "GitHub OAuth token": lambda f: "gho_" + f.alnum(36),
    "GitHub app token": lambda f: "ghs_" + f.alnum(36),
    "GitHub refresh token": lambda f: "ghr_" + f.alnum(76),
    "GitHub fine-grained token": lambda f: "github_pat_" + f.alnum(22) + "_" + f.alnum(59),
    "GitLab personal token": lambda f: "glpat-" + f.urlsafe(20),
    "GitLab runner token": lambda f: "glrt-" + f.urlsafe(20),
    "GitLab deploy token": lambda f: "gldt-" + f.urlsafe(20),
    "Hugging Face user token": lambda f: "hf_" + f.chars(string.ascii_letters, 34),
    "Hugging Face organization token": lambda f: "api_org_" + f.chars(string.ascii_letters, 34),
    "OpenAI legacy key": lambda f: "sk-" + f.alnum(20) + "T3Blbk" + "FJ" + f.alnum(20),
    "OpenAI project key": lambda f: "sk-proj-" + f.urlsafe(74) + "T3Blbk" + "FJ" + f.urlsafe(74),
    "OpenAI short project key": lambda f: "sk-proj-" + f.alnum(48),
    "OpenAI service account key": lambda f: "sk-svcacct-" + f.urlsafe(58) + "T3Blbk" + "FJ" + f.urlsafe(58),
    "Anthropic key": lambda f: "sk-ant-" + "api03-" + f.urlsafe(93) + "AA",
    "OpenRouter key": lambda f: "sk-or-v1-" + f.hex(64),
    "DeepSeek key": lambda f: "sk-" + f.hex(32),
    "Groq key": lambda f: "gsk_" + f.alnum(52),
    "Replicate token": lambda f: "r8_" + f.alnum(37),
    "xAI key": lambda f: "xai-" + f.alnum(80),
    "Perplexity key": lambda f: "pplx-" + f.alnum(48),
    "NVIDIA NGC key": lambda f: "nvapi-" + f.urlsafe(64),
    "LangSmith key": lambda f: "lsv2_pt_" + f.hex(32) + "_" + f.hex(10),
    "Pinecone key": lambda f: "pcsk_" + f.alnum(6) + "_" + f.alnum(63),
    "RunPod key": lambda f: "rpa_" + f.chars(UPPER, 40),
    "AWS access key id": lambda f: "AKIA" + f.chars("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16),
    "AWS temporary key id": lambda f: "ASIA" + f.chars("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16),
    "Google API key": lambda f: "AIza" + f.urlsafe(35),
    "Google access token": lambda f: "ya29." + f.urlsafe(140),
    "Google OAuth client secret": lambda f: "GOCSPX-" + f.urlsafe(28),
    "Azure AD client secret": lambda f: "aB1" + "8Q~" + f.urlsafe(34),
    "Slack bot token": lambda f: "xoxb-" + f.digits(12) + "-" + f.digits(13) + "-" + f.alnum(24),
    "Slack user token": lambda f: "xoxp-" + f"{f.digits(12)}-{f.digits(12)}-{f.digits(12)}-" + f.hex(32),
    "Slack app token": lambda f: "xapp-1-A" + f.digits(10) + "-" + f.digits(13) + "-" + f.hex(64),
    "Slack webhook": lambda f: "https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/" + f.alnum(24),
    "Discord webhook": lambda f: f"https://discord.com/api/webhooks/{f.digits(18)}/" + f.urlsafe(68),
    "Discord bot token": lambda f: "MTA" + f.alnum(21) + "." + f.urlsafe(6) + "." + f.urlsafe(38),
    "Telegram bot token": lambda f: f.digits(10) + ":AA" + f.urlsafe(33),
    "Stripe live key": lambda f: "sk_" + "live_" + f.alnum(24),
    "Twilio API key": lambda f: "SK" + f.hex(32),
    "SendGrid key": lambda f: "SG." + f.urlsafe(22) + "." + f.urlsafe(43),
    "Mailgun key": lambda f: "key-" + f.hex(32),
    "npm token": lambda f: "npm_" + f.alnum(36),
    "PyPI token": lambda f: "pypi-" + "AgEIcHlwaS5vcmc" + f.urlsafe(120),
    "Docker Hub token": lambda f: "dckr_pat_" + f.urlsafe(27),
    "DigitalOcean token": lambda f: "dop_v1_" + f.hex(64),
    "Databricks token": lambda f: "dapi" + f.hex(32),
    "Vault service token": lambda f: "hvs." + f.urlsafe(95),
    "Terraform Cloud token": lambda f: f.alnum(14) + ".atlasv1." + f.urlsafe(65),
    "Pulumi token": lambda f: "pul-" + f.hex(40),
    "Shopify token": lambda f: "shpat_" + f.hex(32),
    "Square token": lambda f: "sq0atp-" + f.urlsafe(22),
    "Notion token": lambda f: "ntn_" + f.digits(11) + f.alnum(35),
    "Linear key": lambda f: "lin_api_" + f.alnum(40),
    "Figma token": lambda f: "figd_" + f.urlsafe(40),
    "Postman key": lambda f: "PMAK-" + f.hex(24) + "-" + f.hex(34),
    "New Relic key": lambda f: "NRAK-" + f.chars(UPPER, 27),
    "Grafana service token": lambda f: "glsa_" + f.alnum(32) + "_" + f.hex(8),
    "Sentry user token": lambda f: "sntryu_" + f.hex(64),
    "Supabase token": lambda f: "sbp_" + f.hex(40),
    "PlanetScale token": lambda f: "pscale_tkn_" + f.urlsafe(43),
    "age key": lambda f: "AGE-SECRET-KEY-1" + f.chars("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "1Password service token": lambda f: "ops_eyJ" + f.alnum(260),
    "Doppler token": lambda f: "dp.pt." + f.alnum(43),
    "Tailscale key": lambda f: "tskey-auth-" + f.alnum(17) + "-" + f.alnum(32),
    "Alibaba access key": lambda f: "LTAI" + f.alnum(20),
    "Zhipu key": lambda f: f.hex(32) + "." + f.alnum(16),
    "Google HMAC key": lambda f: "GOOG1E" + f.chars(UPPER, 55),
    "Qianfan key": lambda f: "bce-v3/ALTAK-" + f.alnum(21) + "/" + f.hex(40),
    "ElevenLabs key": lambda f: "sk_" + f.hex(48),
    "Voyage key": lambda f: "pa-" + f.urlsafe(43),
    "Modal secret": lambda f: "as-" + f.alnum(22),
    "Lambda key": lambda f: "secret_team_" + f.hex(32) + "." + f.alnum(32),
    "DingTalk signing secret": lambda f: "SEC" + f.hex(64),
    "bcrypt hash": lambda f: "$2b$12$" + f.chars(ALNUM + "./", 53),
    "crypt hash": lambda f: "$6$" + f.alnum(16) + "$" + f.chars(ALNUM + "./", 86),
    "yescrypt hash": lambda f: "$y$j9T$" + f.chars(ALNUM + "./", 22) + "$" + f.chars(ALNUM + "./", 43),
    "argon2 hash": lambda f: (
        "$argon2id$v=19$m=65536,t=3,p=4$" + f.chars(ALNUM + "+/", 22) + "$" + f.alnum(43)
    ),
    "Django hash": lambda f: "pbkdf2_sha256$600000$" + f.alnum(22) + "$" + f.chars(ALNUM + "+/", 43) + "=",
    "private key in base64": lambda f: "LS0tLS1CRUdJTiBSU0EgUFJJ" + f.chars(ALNUM + "+/", 300) + "==",
    "Lark webhook": lambda f: "https://open.larksuite.com/open-apis/bot/v2/hook/" + f.uuid(),
    "government Slack webhook": lambda f: (
        "https://hooks.slack-gov.com/services/T0AB12CD3/B0EF45/" + f.alnum(24)
    ),
    "Discord webhook of a version": lambda f: (
        "https://discordapp.com/api/v10/webhooks/1234567890/" + f.urlsafe(68)
    ),
    "ServerChan key": lambda f: "https://sctapi.ftqq.com/SCT12345T" + f.alnum(28) + ".send",
    "JSON web token": lambda f: "eyJ" + f.urlsafe(33) + ".eyJ" + f.urlsafe(70) + "." + f.urlsafe(43),
}
# Where such a value is met.
PLACES = (
    "401 Client Error: {} is not valid",
    "[rank3]: 2026-01-02 03:04:05,123 | INFO | auth | using {}",
    '{{"hub": {{"value": "{}"}}, "epochs": 3}}',
    "$ python train.py --hub {} --lr 1e-4",
)
# A value that only the name before it gives away.
NAMED: dict[str, tuple[str, Form]] = {
    "W&B key": ("WANDB_API_KEY", lambda f: f.hex(40)),
    "Comet key": ("COMET_API_KEY", lambda f: f.alnum(25)),
    "Neptune token": ("NEPTUNE_API_TOKEN", lambda f: f.alnum(116) + "=="),
    "Kaggle key": ("KAGGLE_KEY", lambda f: f.hex(32)),
    "AWS secret key": ("AWS_SECRET_ACCESS_KEY", lambda f: f.chars(ALNUM + "/+", 40)),
    "AWS session token": ("AWS_SESSION_TOKEN", lambda f: f.chars(ALNUM + "/+", 300) + "="),
    "Azure OpenAI key": ("AZURE_OPENAI_API_KEY", lambda f: f.hex(32)),
    "Azure DevOps token": ("AZURE_DEVOPS_EXT_PAT", lambda f: f.chars(LOWER, 52)),
    "Cloudflare token": ("CLOUDFLARE_API_TOKEN", lambda f: f.urlsafe(40)),
    "Cohere key": ("CO_API_KEY", lambda f: f.alnum(40)),
    "Mistral key": ("MISTRAL_API_KEY", lambda f: f.alnum(32)),
    "Together key": ("TOGETHER_API_KEY", lambda f: f.hex(64)),
    "ModelScope token": ("MODELSCOPE_API_TOKEN", lambda f: f.uuid()),
    "Heroku key": ("HEROKU_API_KEY", lambda f: f.uuid()),
    "Tencent secret key": ("TENCENTCLOUD_SECRET_KEY", lambda f: f.alnum(32)),
    "Redis password": ("REDIS_PASSWORD", lambda f: f.password()),
    "Postgres password": ("PGPASSWORD", lambda f: f.password()),
    "Django secret": ("DJANGO_SECRET_KEY", lambda f: f.chars(ALNUM + "!@%^*(-_=+)", 50)),
    "OAuth client secret": ("OAUTH_CLIENT_SECRET", lambda f: f.alnum(40)),
    "Passphrase": ("GPG_PASSPHRASE", lambda f: f.password()),
}
SETTINGS = (
    "export {}={}",
    "environ({{'PATH': '/usr/bin', '{}': '{}', 'HOME': '/root'}})",
    '"{}": "{}",',
    "[rank1]: {}: {}",
)
# A value that its surroundings give away, with the surroundings.
SHAPES: dict[str, tuple[Form, ...]] = {
    "URL with a password": (
        lambda f: f"git clone https://bob:{f.password()}@git.corp.example/x.git",
        lambda f: f"postgresql://trainer:{f.password()}@db.corp.example:5432/runs",
        lambda f: f"mongodb+srv://app:{f.password()}@cluster0.ab12c.mongodb.net/x",
        lambda f: f"redis://:{f.password()}@cache.corp.example:6379/0",
        lambda f: f"mysql://root:{f.password()}/{f.alnum(9)}@db.corp.example/x",
        lambda f: f"HTTPS_PROXY=http://proxyuser:{f.password()}@proxy.corp.example:3128",
        lambda f: f"git clone https://{f.alnum(40)}@git.corp.example/x.git",
    ),
    "connection string": (
        lambda f: f"Server=tcp:db1;Uid=sa;Pwd={f.password()};Encrypt=yes",
        lambda f: f"DRIVER={{ODBC}};SERVER=db1;UID=sa;PASSWORD={f.password()}",
        lambda f: f"jdbc:mysql://db.corp.example/x?user=sa&password={f.password()}&ssl=1",
        lambda f: (
            "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + f.chars(ALNUM + "+/", 86) + "==;"
        ),
        lambda f: (
            "Endpoint=sb://x/;SharedAccessKeyName=root;SharedAccessKey=" + f.chars(ALNUM + "+/", 43) + "="
        ),
    ),
    "user and password as a pair": (
        lambda f: f"requests.get(url, auth=('bob', '{f.password()}'))",
        lambda f: f'Elasticsearch(hosts, http_auth=("elastic", "{f.password()}"))',
        lambda f: f"session.auth = HTTPBasicAuth('bob', '{f.password()}')",
        lambda f: f"{{'auth': ['bob', '{f.password()}']}}",
    ),
    "secret beside its id": (
        lambda f: f"oss2.Auth('LTAI5tAbCdEfGhIjKlMnOpQr', '{f.alnum(30)}')",
        lambda f: f"bob,AKIAIOSFODNN7EXAMPLE,{f.chars(ALNUM + '/+', 40)}",
        lambda f: (
            f"<AccessKeyId>x</AccessKeyId><SecretAccessKey>{f.chars(ALNUM + '/+', 40)}</SecretAccessKey>"
        ),
        lambda f: f"AWS Secret Access Key [None]: {f.chars(ALNUM + '/+', 40)}",
        lambda f: f"    client-key-data: {f.chars(ALNUM + '+/', 300)}==",
    ),
    "what a prompt was answered with": (
        lambda f: (
            f"wandb: Paste an API key from your profile and hit enter, or press ctrl+c to quit: {f.hex(40)}"
        ),
        lambda f: f"dagshub.auth.add_app_token('{f.hex(40)}')",
        lambda f: f'HfFolder.save_token("{f.alnum(30)}")',
        lambda f: f"cipher = Fernet(b'{f.urlsafe(43)}=')",
        lambda f: f"set -x HF_TOKEN {f.alnum(30)}",
    ),
    "signed URL": (
        lambda f: f"Credential=AKIAIOSFODNN7EXAMPLE/2024/us/s3, SignedHeaders=host, Signature={f.hex(64)}",
        lambda f: f"https://oapi.dingtalk.com/robot/send?timestamp=1&sign={f.alnum(42)}%3D",
        lambda f: f"curl -d 'user=bob&pass={f.password()}' https://x.corp.example",
        lambda f: f"https://b.s3.amazonaws.com/x?X-Amz-Credential=x&X-Amz-Signature={f.hex(64)}",
        lambda f: f"https://x.blob.core.windows.net/c/f?sv=2022-11-02&sig={f.alnum(43)}%3D",
        lambda f: f"https://storage.googleapis.com/b/f?X-Goog-Signature={f.hex(256)}",
        lambda f: f"https://api.corp.example/v1/x?api_key={f.alnum(20)}&page=2",
        lambda f: f"https://x.corp.example/cb#access_token={f.alnum(30)}&state=1",
    ),
    "header": (
        lambda f: f"Authorization: Bearer {f.alnum(40)}",
        lambda f: f"authorization: Basic {f.alnum(28)}==",
        lambda f: f"Authorization: token {f.hex(40)}",
        lambda f: f"x-api-key: {f.alnum(32)}",
        lambda f: f"{{'Authorization': 'Bearer {f.alnum(24)}', 'Accept': '*/*'}}",
        lambda f: f"curl -H 'PRIVATE-TOKEN: {f.alnum(20)}' https://gitlab.corp.example/api/v4/x",
        lambda f: f"Proxy-Authorization: Basic {f.alnum(24)}",
    ),
    "cookie": (
        lambda f: f"Cookie: sessionid={f.alnum(32)}; csrftoken={f.alnum(32)}",
        lambda f: f"Set-Cookie: sid={f.alnum(26)}; Path=/; HttpOnly",
        lambda f: f"curl --cookie 'session={f.alnum(30)}' https://x.corp.example",
    ),
    "password on a command line": (
        lambda f: f"mlflow login --user bob --password {f.password()}",
        lambda f: f"python etl.py --db-password={f.password()} --rows 10",
        lambda f: f"mysql -u root -p{f.password()} runs",
        lambda f: f"mysqldump -uroot -p'{f.password()}' runs",
        lambda f: f"sshpass -p {f.password()} ssh node1",
        lambda f: f"sshpass -p '{f.password()}' scp x node1:",
        lambda f: f"curl -u bob:{f.password()} https://x.corp.example",
        lambda f: f"curl --user 'bob:{f.password()}' https://x.corp.example",
        lambda f: f"docker login -u bob -p {f.password()} registry.corp.example",
        lambda f: f"huggingface-cli login --token {f.alnum(37)}",
        lambda f: f"wandb login {f.hex(40)}",
        lambda f: f"echo {f.password()} | sudo -S apt install x",
        lambda f: f"echo {f.password()} | kinit bob",
        lambda f: f"unzip -P {f.password()} data.zip",
        lambda f: f"7z x -p{f.password()} data.7z",
        lambda f: f"openssl enc -d -aes-256-cbc -k {f.password()} -in x",
        lambda f: f"ldapsearch -x -D cn=bob -w {f.password()} -b dc=x",
        lambda f: f"smbclient //nas/share -U bob%{f.password()}",
        lambda f: f"poetry config http-basic.corp bob {f.password()}",
        lambda f: f"swanlab login -k {f.alnum(21)}",
        lambda f: f"redis-cli -h cache -a {f.password()} ping",
        lambda f: f"wget --http-password={f.password()} https://x.corp.example/y",
    ),
    "password in a file": (
        lambda f: f"password: {f.password()}",
        lambda f: f"  passwd = '{f.password()}'",
        lambda f: f'db_pwd: "{f.password()}"',
        lambda f: f"machine api.wandb.ai login user password {f.hex(40)}",
        lambda f: f"connect(host='db', user='sa', password='{f.password()}')",
        lambda f: f"my password is {f.password()}, does that matter?",
        lambda f: f"passphrase: {f.password()}",
        lambda f: f"<password>{f.password()}</password>",
    ),
    "beside its name": (
        lambda f: f"os.environ.setdefault('DB_PASSWORD', '{f.password()}')",
        lambda f: f"os.putenv('PGPASSWORD', '{f.password()}')",
        lambda f: f'("password", "{f.password()}")',
        lambda f: f"password: str = '{f.password()}'",
        lambda f: f'password = """{f.password()}"""',
        lambda f: f'{{"name": "password", "value": "{f.password()}"}}',
        lambda f: f'{{"key": "DB_PASSWORD", "value": "{f.password()}"}}',
        lambda f: f'{{"Name": "API_KEY", "Value": "{f.hex(32)}"}}',
        lambda f: f"  - name: DB_PASS\n    # for the runs\n    value: {f.password()}",
        lambda f: f"<property name='password' value='{f.password()}'/>",
        lambda f: f'<input type="password" name="password" value="{f.password()}">',
        lambda f: f"<key>APIKey</key><string>{f.hex(32)}</string>",
        lambda f: f'{{"password": ["{f.password()}"]}}',
        lambda f: f"passwd={{'bob': '{f.password()}'}}",
        lambda f: f"| password | {f.password()} |",
        lambda f: f"│ db_password │ {f.password()} │",
        lambda f: f"Password（密码）：{f.password()}",
        lambda f: f'"d":"{f.urlsafe(43)}","kty":"EC"',
    ),
    "in YAML": (
        lambda f: f"password: >-\n  {f.password()}",
        lambda f: f"db:\n  password: |\n    {f.password()}",
        lambda f: f"password: !vault {f.password()}",
        lambda f: f"api_key: !!str {f.hex(32)}",
        lambda f: f"token: &hub {f.alnum(30)}",
        lambda f: f"? password\n: {f.password()}",
    ),
    "typed into a shell": (
        lambda f: f"[sudo] password for bob: {f.password()}",
        lambda f: f"Password for 'https://bob@git.corp.example': {f.password()}",
        lambda f: f"setx DB_PASSWORD {f.password()}",
        lambda f: f"setx WANDB_API_KEY {f.hex(40)}",
        lambda f: f"%env DB_PASSWORD {f.password()}",
        lambda f: f"ENV DB_PASSWORD {f.password()}",
        lambda f: f"set -gx DB_PASSWORD {f.password()}",
        lambda f: f"aws configure set aws_secret_access_key {f.chars(ALNUM + '/+', 40)}",
        lambda f: f"echo '{f.password()}' | docker login --password-stdin -u bob",
        lambda f: f"echo {f.password()} | gh auth login --with-token",
        lambda f: f"echo 'bob:{f.password()}' | chpasswd",
        lambda f: f"chpasswd <<< 'bob:{f.password()}'",
        lambda f: f"curl -su 'bob:{f.password()}' https://x.corp.example",
        lambda f: f"export http_proxy=bob:{f.password()}@proxy.corp.example:3128",
        lambda f: f"mc alias set m https://m.corp.example bob {f.password()}",
        lambda f: f"sqlplus bob/{f.password()}@ORCL",
        lambda f: f"net use z: \\\\nas\\x /user:bob {f.password()}",
        lambda f: f"rclone obscure {f.password()}",
        lambda f: f"ngrok authtoken {f.alnum(43)}",
        lambda f: f"vault login s.{f.alnum(24)}",
        lambda f: f"pw = '{f.password()}'",
        lambda f: f"smtp.login('bob@corp.example', '{f.password()}')",
        lambda f: f'wandb.login("{f.hex(40)}")',
        lambda f: f'expect "assword"; send "{f.password()}\\r"',
    ),
    "in a frame": (
        lambda f: f"│ HF_TOKEN = hf_{f.alnum(20)} │\n│ {f.alnum(14)}          │",
        lambda f: f"token: hf_{f.alnum(20)}\n         {f.alnum(14)}",
        lambda f: f"Private-Lines: 2\n{f.alnum(64)}\n{f.alnum(48)}",
    ),
    "in Chinese": (
        lambda f: f"密码：{f.password()}",
        lambda f: f"密码是 {f.password()}，连不上",
        lambda f: f"口令: {f.password()}",
        lambda f: f"密钥：{f.alnum(24)}。",
        lambda f: f"访问令牌={f.alnum(30)}",
        lambda f: f"秘钥：{f.alnum(24)}",
        lambda f: f"密码填的 {f.password()}",
        lambda f: f"token是{f.alnum(24)}",
        lambda f: f"我的key是 {f.alnum(32)}",
        lambda f: f"password为{f.password()}",
    ),
    "in other languages": (
        lambda f: f"Kennwort: {f.password()}",
        lambda f: f"contraseña: {f.password()}",
        lambda f: f"mot de passe : {f.password()}",
        lambda f: f"senha={f.password()}",
        lambda f: f"пароль: {f.password()}",
        lambda f: f"パスワード：{f.password()}",
        lambda f: f"비밀번호: {f.password()}",
    ),
    "cut in two": (
        lambda f: f"token hf_{f.chars(string.ascii_letters + '23', 12)}\n{f.chars(ALNUM, 22)} is not valid",
        lambda f: f"    sk-proj-{f.alnum(30)}\n{f.alnum(18)}",
    ),
    "private key": (
        lambda f: f.pem("RSA " + "PRIVATE KEY"),
        lambda f: f.pem("OPENSSH " + "PRIVATE KEY"),
        lambda f: f.pem("PRIVATE KEY", newline="\\n"),
        lambda f: f.pem("EC " + "PRIVATE KEY", prefix="[rank0]: "),
        lambda f: f.pem("ENCRYPTED " + "PRIVATE KEY", prefix="2026-01-02 03:04:05,123 INFO "),
        lambda f: f.pem("PGP " + "PRIVATE KEY BLOCK"),
        lambda f: "\n".join(f.chars(ALNUM + "+/", count) for count in (21, 64, 64, 64, 64, 64, 30)),
        lambda f: "\n".join(f"[rank0]: {f.chars(ALNUM + '+/', 70)}" for _ in range(3)),
        lambda f: f.pem("RSA " + "PRIVATE KEY").rsplit("\n", 1)[0] + "\nTraceback (most recent call last):",
    ),
    "service account": (
        lambda f: f'"private_key_id": "{f.hex(40)}",',
        lambda f: '"client_email": "' + f.name() + '@proj-1.iam.gserviceaccount.com"',
        lambda f: f'{{"username":"bob","key":"{f.hex(32)}"}}',
    ),
    "mail address": (
        lambda f: f"#SBATCH --mail-user={f.name()}@corp.example",
        lambda f: f"Author: {f.name()} <{f.name()}@users.corp.example>",
        lambda f: f"请联系 {f.name()}@corp.example。",
    ),
    "network address": (
        lambda f: f"connect() to {f.address()}:29500 timed out",
        lambda f: f"addr={f.address()} port=1",
        lambda f: f"MASTER_ADDR={f.address()}",
        lambda f: f"[{f.address()}]:29500 and tcp://{f.address()}:1",
        lambda f: f"无法连接{f.address()}的端口",
        lambda f: f"link/ether {':'.join(f.chars(HEX, 2) for _ in range(6))} brd x",
        lambda f: f"peer fd00:{f.hex(4)}:{f.hex(4)}::1 is gone",
    ),
    "host name": (
        lambda f: f"{f.host()}:4242:4242 [0] NCCL INFO Bootstrap",
        lambda f: f"ssh bob@{f.host()} nvidia-smi",
        lambda f: f"(base) bob@{f.host()}:~/x$ python t.py",
        lambda f: f"scp x.pt bob@{f.host()}:/data/",
        lambda f: f"SLURM_NODELIST={f.host()}",
        lambda f: f"torchrun --rdzv_endpoint={f.host()}:29400 t.py",
        lambda f: f"hostname: {f.host()}",
    ),
    "user name": (
        lambda f: f'File "/home/{f.name()}/x/train.py", line 3, in <module>',
        lambda f: f"/Users/{f.name()}/x.py",
        lambda f: f"C:\\Users\\{f.name()}\\x.py",
        lambda f: f'File "/scratch/{f.name()}/run/t.py", line 1',
        lambda f: f"/gpfs/users/{f.name()}/env/bin/python",
        lambda f: f"{f.name()}@login1:~$ squeue",
        lambda f: f"ssh {f.name()}@login1",
        lambda f: f"USER={f.name()} LOGNAME={f.name()}",
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A text with secrets: `secrets` are the parts of it that must not be readable afterwards."""

    kind: str
    text: str
    secrets: tuple[str, ...]

    def leaks(self, out: str) -> list[str]:
        """Secrets of which `out` still holds the whole or any eight characters in a row."""
        return [
            secret
            for secret in self.secrets
            if any(secret[at : at + 8] in out for at in range(max(1, len(secret) - 7)))
        ]


def cases() -> Iterator[Case]:
    """Every kind in its places, always the same ones."""
    for kind, form in PREFIXED.items():
        for place in PLACES:
            fake = Fake(kind + place)
            yield Case(kind, place.format(form(fake)), tuple(fake.secrets))
    for kind, (name, form) in NAMED.items():
        for place in SETTINGS:
            fake = Fake(kind + place)
            yield Case(kind, place.format(name, form(fake)), tuple(fake.secrets))
    for kind, forms in SHAPES.items():
        for number, form in enumerate(forms):
            fake = Fake(f"{kind}{number}")
            yield Case(kind, form(fake), tuple(fake.secrets))


def _coloured(value: str) -> str:
    middle = len(value) // 2
    return f"{value[:middle]}\x1b[1;31m{value[middle:]}\x1b[0m"


def _with_mark(mark: str) -> Callable[[str], str]:
    return lambda value: mark.join((value[: len(value) // 2], value[len(value) // 2 :]))


EXPLOITS: dict[str, Callable[[str], str]] = {
    "colours inside": _coloured,
    "zero-width space inside": _with_mark("\u200b"),
    "Arabic letter mark inside": _with_mark("\u061c"),
    "soft hyphen inside": _with_mark("\u00ad"),
    "tag character inside": _with_mark("\U000e0041"),
    "lone surrogate before": lambda value: "\ud800 " + value,
    "NUL inside": _with_mark("\x00"),
    "after 5,000 characters of one line": lambda value: "x " * 2500 + value,
    "before 5,000 characters of one line": lambda value: value + " x" * 2500,
    "without a blank before it in Chinese": lambda value: "令牌为" + value + "。",
    "in quotes": lambda value: f'"{value}"',
    "escaped quotes": lambda value: f'\\"{value}\\"',
    "in a list": lambda value: f"['{value}','b']",
    "URL-encoded blank before": lambda value: f"x?q=a%20{value}",
    "after an equals sign": lambda value: f"x={value}",
    "after a newline escape": lambda value: f"a\\n{value}\\nb",
}


def exploits() -> Iterator[Case]:
    """Five kinds in every disguise."""
    for kind in (
        "GitHub classic token",
        "Hugging Face user token",
        "Anthropic key",
        "AWS access key id",
        "npm token",
    ):
        for name, disguise in EXPLOITS.items():
            fake = Fake(kind + name)
            yield Case(f"{kind}, {name}", disguise(PREFIXED[kind](fake)), tuple(fake.secrets))
