"""A hundred made-up secrets of as many kinds, as services document them: drawn anew for each seed.

Those that come with a name, an address or a frame stand in it. Written by the author of the forms in
`assistant/torchwhy/text/token_forms.py`, after them: a set that somebody else writes is the better judge.
"""

from __future__ import annotations

import base64
import random
import string
from typing import NamedTuple

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
ALNUM, HEX = UPPER + LOWER + DIGITS, "0123456789abcdef"
URLSAFE, BASE64 = ALNUM + "-_", ALNUM + "+/"


class Secret(NamedTuple):
    """`text` holds `value`, which nobody else may see."""

    kind: str
    text: str
    value: str

    def leaks_into(self, told: str) -> bool:
        """Whether eight characters in a row of the value's beginning, middle or end are told."""
        value = "".join(self.value.split())
        told = "".join(told.split())
        middle = len(value) // 2
        parts = (value[:8], value[middle - 4 : middle + 4], value[-8:])
        return any(part in told for part in parts)


# kind: (alphabet and length in braces, the rest as it stands); what stands in << >> is the secret, or all
FORMS = {
    "GitHub classic": "ghp_{A36}",
    "GitHub fine-grained": "github_pat_{A22}_{A59}",
    "GitHub app": "ghs_{A36}",
    "GitLab": "glpat-{U20}",
    "GitLab CI": "glcbt-64_{U20}",
    "Hugging Face": "hf_{L34}",
    "OpenAI project": "sk-proj-{U74}T3BlbkFJ{U74}",
    "OpenAI legacy": "sk-{A20}T3BlbkFJ{A20}",
    "Anthropic": "sk-ant-api03-{U93}AA",
    "Groq": "gsk_{A52}",
    "Replicate": "r8_{A37}",
    "Together": "{H64}",
    "Cohere": "{A40}",
    "Mistral": "{A32}",
    "DeepSeek": "sk-{H32}",
    "xAI": "xai-{A80}",
    "Pinecone": "pcsk_{A6}_{A63}",
    "LangSmith": "lsv2_pt_{H32}_{H10}",
    "NVIDIA": "nvapi-{U64}",
    "W&B": "{H40}",
    "W&B in .netrc": "machine api.wandb.ai\n  login user\n  password <<{H40}>>",
    "Kaggle": '{{"username":"zoe","key":"<<{H32}>>"}}',
    "Comet": "COMET_API_KEY=<<{A25}>>",
    "Neptune": "{J60}",
    "AWS key id": "AKIA{B16}",
    "AWS secret": "{S40}",
    "AWS session": "aws_session_token = <<IQoJb3JpZ2luX2Vj{S200}>>",
    "AWS presigned": "https://b.s3.amazonaws.com/x?X-Amz-Signature=<<{H64}>>&X-Amz-Date=1",
    "Google API": "AIza{U35}",
    "Google OAuth": "ya29.a0{U120}",
    "Google refresh": "1//0{U60}",
    "Azure storage": "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=<<{S86}==>>;EndpointSuffix=core",
    "Azure client": "{A3}8Q~{A34}",
    "Azure SAS": "https://x.blob.core.windows.net/c?sv=2022-11-02&sig=<<{S43}%3D>>",
    "Azure OpenAI": "{H32}",
    "DigitalOcean": "dop_v1_{H64}",
    "Alibaba": "LTAI{A20}",
    "Heroku": "HRKU-AA{U58}",
    "Databricks": "dapi{H32}",
    "Cloudflare": "CLOUDFLARE_API_TOKEN=<<{U40}>>",
    "Vercel": "{A24}",
    "Netlify": "nfp_{A36}",
    "Supabase": "sb_secret_{U31}",
    "PlanetScale": "pscale_pw_{U43}",
    "Neon": "postgresql://zoe:<<npg_{A12}>>@ep-cool.eu-central-1.aws.neon.tech/db",
    "Postgres": "postgresql+psycopg2://zoe:<<{A16}>>@db:5432/runs",
    "MySQL": "mysql://root:<<{P14}>>@10.0.0.7/optuna",
    "MongoDB": "mongodb+srv://zoe:<<{A18}>>@c0.abcde.mongodb.net/?retryWrites=true",
    "Redis": "redis://:<<{A24}>>@cache:6379/0",
    "AMQP": "amqp://worker:<<{A16}>>@queue:5672//",
    "SQL Server": "Server=db;Database=x;User Id=sa;Password=<<{P14}>>;Encrypt=True",
    "JDBC": "jdbc:postgresql://db/x?user=zoe&password=<<{A14}>>",
    "proxy": "HTTPS_PROXY=http://zoe:<<{A12}>>@proxy:3128",
    "git remote": "fatal: Authentication failed for 'https://oauth2:<<{A24}>>@git.example.org/x.git/'",
    "pip index": "Looking in indexes: https://__token__:<<{A32}>>@pypi.example.org/simple",
    "npm": "npm_{A36}",
    ".npmrc": "//registry.example.org/:_authToken=<<{H8}-{H4}-{H4}-{H4}-{H12}>>",
    "PyPI": "pypi-AgEIcHlwaS5vcmc{U120}",
    "Docker Hub": "dckr_pat_{U27}",
    "Docker config": '{{"auths": {{"registry": {{"auth": "<<{J40}>>"}}}}}}',
    "kubeconfig token": "    user:\n      token: <<eyJhbGciOiJSUzI1NiJ9.eyJ{A80}.{U120}>>",
    "kubeconfig key": "    client-key-data: <<LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVk{S200}>>",
    "JWT": "eyJhbGciOiJIUzI1NiJ9.eyJ{U80}.{U43}",
    "Slack bot": "xoxb-{N12}-{N12}-{A24}",
    "Slack hook": "https://hooks.slack.com/services/<<T{B8}/B{B8}/{A24}>>",
    "Discord bot": "M{U25}.{U6}.{U38}",
    "Discord hook": "https://discord.com/api/webhooks/{N18}/<<{U68}>>",
    "Telegram": "{N10}:A{U34}",
    "Stripe": "sk_live_{A24}",
    "Twilio key": "SK{H32}",
    "Twilio token": "{H32}",
    "SendGrid": "SG.{U22}.{U43}",
    "Mailgun": "key-{H32}",
    "Mailchimp": "{H32}-us14",
    "Shopify": "shpat_{H32}",
    "Square": "EAAA{U60}",
    "Notion": "ntn_{N11}{A35}",
    "Airtable": "pat{A14}.{H64}",
    "Figma": "figd_{U40}",
    "Postman": "PMAK-{H24}-{H34}",
    "Vault": "hvs.{U95}",
    "Terraform": "{A14}.atlasv1.{U67}",
    "Grafana": "glsa_{A32}_{H8}",
    "Datadog": "DD_API_KEY=<<{H32}>>",
    "New Relic": "NRAK-{B27}",
    "Sentry": "https://<<{H32}>>@o1.ingest.sentry.io/5",
    "OpenSSH key": "-----BEGIN OPENSSH PRIVATE KEY-----\n<<{S70}\n{S70}\n{S44}>>\n-----END OPENSSH PRIVATE KEY-----",
    "RSA key": "-----BEGIN RSA PRIVATE KEY-----\n<<{S64}\n{S64}\n{S64}>>\n-----END RSA PRIVATE KEY-----",
    "RSA key, cut": "-----BEGIN RSA PRIVATE KEY-----\n<<{S64}\n{S64}\n{S64}>>",
    "age": "AGE-SECRET-KEY-1{B58}",
    "WireGuard": "PrivateKey = <<{S43}=>>",
    "bcrypt": "$2b$12${A53}",
    "basic auth": "Authorization: Basic <<{J30}>>",
    "bearer": "'Authorization': 'Bearer <<{U40}>>'",
    "API header": "X-API-Key: <<{A32}>>",
    "cookie": "Cookie: sessionid=<<{A32}>>; csrftoken={A32}",
    "password option": "train.py --db-password <<{P14}>> --lr 0.1",
    "password in JSON": '{{"user": "zoe", "password": "<<{P16}>>"}}',
    "curl": "curl -u zoe:<<{A12}>> https://example.org/x",
    "Jupyter": "http://localhost:8888/lab?token=<<{H48}>>",
}  # fmt: skip
ALPHABETS = {
    "A": ALNUM, "U": URLSAFE, "H": HEX, "L": UPPER + LOWER, "B": UPPER + DIGITS, "S": BASE64, "N": DIGITS, "P": ALNUM + "!#$%^*-_.?",
}  # fmt: skip


def secrets(seed: int) -> list[Secret]:
    chance = random.Random(seed)
    return [_drawn(kind, form, chance) for kind, form in FORMS.items()]


def _drawn(kind: str, form: str, chance: random.Random) -> Secret:
    parts = form.replace("{{", "\0").replace("}}", "\1").split("{")
    text = parts[0]
    for part in parts[1:]:
        code, _, rest = part.partition("}")
        count = int(code[1:])
        if code[0] == "J":  # base64 of a name and a password
            text += base64.b64encode(f"zoe:{''.join(chance.choices(ALNUM, k=count))}".encode()).decode()
        else:
            text += "".join(chance.choices(ALPHABETS[code[0]], k=count))
        text += rest
    text = text.replace("\0", "{").replace("\1", "}")
    value = text.partition("<<")[2].partition(">>")[0] or text
    return Secret(kind, text.replace("<<", "").replace(">>", ""), value)
