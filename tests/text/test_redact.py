"""Redacting: what has to go, what has to stay, whatever disguise the text wears, in linear time."""

from __future__ import annotations

import html
import json
import os
import platform
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.text import named_secrets, token_forms, whereabouts
from assistant.text import redact as redacting
from assistant.text.plain import plain
from assistant.text.redact import anonymous, redact, shorten
from assistant.text.whereabouts import MARK
from tests.text.fake_secrets import EXPLOITS, Case, cases, exploits
from tests.text.healthy_lines import HEALTHY
from tests.text.worst_shapes import SHAPES, growth, repeated

TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
MIN_GONE, MAX_CHANGED = 0.98, 0.01


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user whose home and name stand in no text."""
    monkeypatch.setenv("HOME", "/srv/people/somebody")
    monkeypatch.setenv("LOGNAME", "somebody-else")
    redacting._own_names.cache_clear()
    yield
    redacting._own_names.cache_clear()


# The list


def test_secrets_of_all_kinds_are_gone() -> None:
    made = list(cases())
    assert len(made) >= 500
    assert len({case.kind for case in made}) >= 100
    left = [f"{case.kind}: {redact(case.text)[-120:]}" for case in made if case.leaks(redact(case.text))]
    assert len(left) <= (1 - MIN_GONE) * len(made), left


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("python t.py --wandb_key {} --lr 1", "0123456789abcdef0123456789abcdef01234567"),
        ("python t.py --trainer.wandb_key={}", "0123456789abcdef0123456789abcdef01234567"),
        ("python t.py --db_password {}", "hunter2xyz"),
        ("https://api.telegram.org/bot{}/sendMessage", "123456789:AAaLXs6RFVwkPC7GRVHxqGcbfSil6gmprQC"),
        ("https://conda.anaconda.org/t/{}/acme", "ac-R9GkpBepf6hrKVZmxS6gjCsPtryDbMHR4FIr"),
        ("curl -u 'bob:{}' x", "two words"),
        ('curl --user="bob:{}" x', "two words"),
        ("http -a bob:{} GET x", "hunter2xyz"),
        ("Config(secret=SecretStr('{}'))", "oIsR0kem37ZIXdeIRYKBuGrZ"),
        ("Command '['python', 't.py', '--api_key', '{}', '--lr', '1']' returned 1", "Zq9xK2mWv7Lp4RtY8nBd"),
        ("Command '['python', 't.py', '--db-password', '{}']' returned 1", "hunter2xyz"),
        ('token = os.getenv("API_KEY", "{}")', "Zq9xK2mWv7Lp4RtY8nBd"),
        ('os.environ.setdefault("HF_TOKEN", "{}")', "Zq9xK2mWv7Lp4RtY8nBd"),
        ("headers=[('api_key', '{}')]", "Zq9xK2mWv7Lp4RtY8nBd"),
        ('def f(token: str | None = "{}"):', "Zq9xK2mWv7Lp4RtY8nBd"),
        ('<add key="password" value="{}"/>', "Zq9xK2mWv7Lp4RtY8nBd"),
        ("machine api.wandb.ai\n  login user\n  password {}", "Zq9xK2mWv7Lp4RtY8nBd"),
        (
            "1 validation error for S\ndb_password\n  String should have at most 4 characters [type=string_too_long, input_value='{}', input_type=str]",
            "MyD0g$RexO4p",
        ),
        (
            "1 validation error for S\napi_key\n  Extra inputs are not permitted [type=extra_forbidden, input_value='{}', input_type=str]",
            "CoeEbjmOFwVWoBNamGac2zdKDnSByOUx",
        ),
        (
            "1 validation error for S\naws.hf_token\n  Input should be a valid integer [type=int_parsing, input_value='{}', input_type=str]",
            "hf_xK2qPzL7rTbVn4McXsWq...vF9rTgB3nHyUjM8kIoLp5wEr",
        ),
        (
            "1 validation error for S\nWANDB_API_KEY\n  Extra inputs are not permitted [type=extra_forbidden, input_value='{}', input_type=str]",
            "a51ba1b34e7d4fcd0c11e56aff79623dfbf0348d",
        ),
        ("echo {} | wandb login --relogin", "a51ba1b34e7d4fcd0c11e56aff79623dfbf0348d"),
        ('GET /api?jwt={} HTTP/1.1" 200', "dgpBfGNBFchUarPIVOVwPu15ABSfj0iLAwrqFTA0"),
        ("GET /cb?code={}&state=x HTTP/1.1", "5ElwTOa4M214GZB8tRglTshA"),
        ("Unauthorized for url: https://x/data?appid={}", "d3f01d5bd09b375b3ad7849b457f494a"),
        (
            "<property><name>fs.s3a.secret.key</name><value>{}</value></property>",
            "5SNN9VkEyo53H649HneEfPjc9Qw3y7KWOaE3nPgK",
        ),
        ("<property>\n  <name>ssl.keystore.password</name>\n  <value>{}</value>", "hunter2xyz"),
        ("fs.azure.account.key.acc.dfs.core.windows.net={}==", "r3uI1WCnXOcBSe9G0uez17bnEyJY0HXHzyw4rJzo"),
        ("  .dockerconfigjson: {}=", "eyJhdXRocyI6eyJyLmV4YW1wbGUiOnsidXNlcm5hbWUiOiJib2Ii"),
        ("ossutil config -e oss-cn.aliyuncs.com -k {}", "5LVVLbQB5vQd3uKoBu64bRcHGEvIVB"),
        ("+ SSHPASS='{}'", "kX9#vLq2!mky9"),
        ("user: bob pass: {}", "Zq7vB2nLx9jxM"),
        ("send: 'AUTH PLAIN {}\\r\\n'", "AGJvYgBrWDkjdkxxMiFtejFB"),
        ("*cmd* 'PASS {}'", "MyD0g$RexEpv"),
        ("│ api_key │ {} │", "dhTFnDAzwXS0mCVxrjRsf2bsKlCTO4Nt"),
        ("batch_size      32\ndb_password     {}\nlr              0.1", "kX9#vLq2!mteQ"),
        ('  ~ password = "" -> "{}"', "mbqkGoraKvvBsg7JMvVTkURC"),
        ("{'host': 'db', 'user': 'bob', 'pass': '{}'}", "Hv3kQp8Zw"),
        ('"smtp_pw": "{}", "port": 25', "Hv3kQp8Zw"),
        ("Cfg(lr=0.1, smtp_pw='{}')", "Hv3kQp8Zw"),
        ("db:\n  pass: {}\n  port: 5", "SSS1TgrelEtS"),
        ("'db_password': \n    '{}',", "Hv3kQp8ZwTt2Lm"),
        ('password = (\n    "{}"\n)', "Hv3kQp8ZwTt2Lm"),
        ("    'auth_token': \n'{}'", "6yEyXh4K0ZFnIFIMEkFFC4sBc5PEUUFf0DeW60Sv"),
        ("STATEMENT:  CREATE ROLE svc WITH LOGIN PASSWORD '{}';", "Hv3kQp8Zw"),
        ("alter user bob password '{}'", "Hv3kQp8Zw"),
        ("requirepass {}", "Hv3kQp8Zw"),
        ("10:00.01 > b'LBFP1 LOGIN bob \"{}\"'", "TwLijPr7TW4e"),
        (
            r"reply: b'334 UGFzc3dvcmQ6\r\n'"
            "\n"
            r"reply: retcode (334); Msg: b'UGFzc3dvcmQ6'"
            "\n"
            r"send: '{}\r\n'",
            "NmdJbnVlbUFTNnVU",
        ),
        ("machine h\n  login bob\n  password {}\n", "A69VM3KMnHibk9"),
        ("torchrun train.py --api-key {} --lr 1", "1U5O9Def5ItN"),
        ("curl -u {}: https://x/v1/instances", "secret_x_uwK9nmC3QsdN1j6N2XoZyWfy6Bk1tnUy"),
        ("#7 [3/9] ENV HF_TOKEN {}", "l4HDA4316x7MK3dh8pYohkms"),
        ("Step 4/9 : ENV DB_PASSWORD {}\n ---> Running", "p4ssW0rdXq77Zt"),
        ("    args:\n    - --hf-token\n    - {}\n    - --lr", "lGUssX2DVxdD6dg2XfujCUyZ"),
        ("- --db_password\n- '{}'", "Hv3kQp8Zw"),
        ('"args": [\n    "--wandb_key",\n    "{}",\n', "EeRGFBdYR4T5lvtIrSZhAjuo"),
        ('"args": [\n    "--password",\n    "{}",\n', "Hv3kQp8Zw"),
        (r'{"password": "{}", "port": 5}', r"aZ\"bNVRcm2OEcedUQsX6zdPySFbd"),
        (r'"hyperparameters": {"hf_token": "\"{}\""}', "KdR41nurM1k9klHQTmhdRFzq"),
        ('"data": {\n "conn": "{}"\n },\n "kind": "Secret",', "cURTbmVOejROYzZrU0pNaEUwTk0="),
        ("kubectl create secret generic hf --from-literal=HF={} -n ml", "4OUg8LFpnXjkN5uKEpFbSJoa"),
        ("gh secret set HF --body {}", "36lu8KZosT95pAMUlDGrAotl"),
        ("dvc remote modify --local store secret_access_key {}", "BYjz01TDEmDeih0maSYI17Dx"),
        ("dvc remote modify --local store password {}", "0etFltzXyMT3"),
        ("mongosh -u admin -p {} --host x", "P1MMfSIeUdhYOqKa"),
        ("co = cohere.Client('{}')", "nb9Ogu66ZByW1f8ntchGkpG31fxHWx503Aade9G3"),
        ("Minio('m:9000', 'minioadmin', '{}')", "RHGXtzguKnhPQIj5vFxxbi5i"),
        (">>> api_key\n'{}'", "utpJwEqnXHOV8PHSzlHiEhAy"),
        ("(Pdb) p token\n'{}'", "phJMRIyapvQUDG9Q34P2nVEO"),
        ("$ echo $HF_TOKEN\n{}", "ws4RWvZLRcNoseSQuj3UP4St"),
        ("https://conda.anaconda.org/t/{}/acme/linux-64/x.json", "RJIQzIgv0sBZ4ou4yf3CLnubUZXblchh"),
        ("next=a%253D{}%2526b", "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"),
        ("ANYSCALE {}", "esecret_56440exxegiiiff25ztaycd78vuw"),
        ("WARNING: api_key {} is not valid", "ZBRZkH0tZag49mGL0221M7btK"),
        ('the secret key is "{}"', "n8upSnR38dNNUcxad7ZzF4uk8nhYFeWG"),
        ("(password {})", "ZA1BdwODPtTiAs8kyLOa5Vix5TsklPJg"),
        ("curl -u {}: https://x/v1/instances", "secret_zxwjsjmeCFN6_465faa4c.DPymelAvACNIpUi3gSMP"),
        ("Client('AC8f3b', '{}')", "1ab416f48cec787265f93a37bc1b99d2"),
        ("Enter passphrase for key '/srv/id': {}", "3aMeqvOPIgqr3719hPvqwKaZ"),
        ("Command '('mysql', '-u', 'root', '-p{}')' returned 1", "cAg515pynd5zeOV"),
        ('"args": ["-u", "bob", "-p", "{}"]', "I9pT2Q7EshFB67gYmF4Ll0di"),
        ("db.acme.io:5432:mlflow:bob:{}", "ghpkKbweSaMZBIO2pY1Z9JvI"),
        ("GRANT ALL ON x.* TO bob IDENTIFIED BY PASSWORD '{}'", "Q1dTavrLaAQDhPvKs5QZ8NkD"),
        ("ALTER USER bob IDENTIFIED WITH caching_sha2_password BY '{}'", "Q1dTavrLaAQDhPvKs5QZ8NkD"),
        ("AUTH {}", "QxKrMUcHphBCcIx8thNcE3F21Vu38kpr"),
        ("mosquitto_pub -u bob -P {} -t x", "32fUKRCGiBzD"),
        ("ipmitool -H x -U root -P {} power", "khEFu3JqlG4TRN1ibIFz"),
        ("skopeo copy --src-creds bob:{} docker://x", "kEoahhfqN8wCs5xJT8xWl8Q2"),
        ("etcdctl --user root:{} get x", "MrlSIbzNn1N0GXBPQ6UX"),
        ("rabbitmqctl add_user bob {}", "iXYlIpl0Utmb"),
        ('parser.add_argument("--api_key", type=str, default="{}")', "lqFdAJB8lGRnNKs8z6BZb7H1"),
        ('token = token or "{}"', "gSN3JH8Aku8bQKRdH4bWhHaH"),
        ("tokens = ['{}', 'x']", "zCFORMVzkQxarHnVaiiNd64v"),
        ("api_keys:\n  - {}\n", "8iaysoE39X6Y9Ywe"),
        ('[auth]\ntoken = """{}"""', "pEtoPODHD1a3TDkK6voC"),
        ('<string name="api_key">{}</string>', "Y9AErYUIgy41"),
        ('spark.conf.set("fs.azure.account.key.acme.dfs.core.windows.net", "{}")', "r4DRBTA9GLZs"),
        ('variable "db_password" {\n  default = "{}"\n}', "2K3vAivdFSscjuFp"),
        ('ds.setPassword("{}");', "NhxnHo1nqftnsWTaL2Cme735"),
        ("AzureKeyCredential('{}')", "Asj35R9FVOW6"),
        ("gh auth login --with-token <<< {}", "MTuG5RI5232P3OPfaeIm"),
        ("plink -ssh bob@h -pw {}", "hK7pQ2vXz9"),
        ("zip -P {} x.zip", "hK7pQ2vXz9"),
        ("rar a -hp{} a.rar", "hK7pQ2vXz9"),
        ("twine upload -u bob -p {} x", "hK7pQ2vXz9"),
        ("docker login -u bob -p={}", "hK7pQ2vXz9"),
        ("htpasswd -b .htpasswd bob {}", "hK7pQ2vXz9"),
        ("ConvertTo-SecureString '{}' -AsPlainText", "hK7pQ2vXz9"),
        ('ssh.connect("node", 22, "bob", "{}")', "hK7pQ2vXz9"),
        ("mount //bob:{}@nas/data", "hK7pQ2vXz9"),
        ("the password `{}` of bob", "hK7pQ2vXz9"),
        ("**password**: `{}`", "hK7pQ2vXz9"),
        ("**password:** {}", "hK7pQ2vXz9"),
        ("`password`: `{}`", "hK7pQ2vXz9"),
        ('API_KEY = os.environ.get("API_KEY") or "{}"', "q8ZtR4vKx2LmB7nWc5YpD9sGh3JfA6uE1oTi0QkX"),
        ('api_key = args.api_key or "{}"', "q8ZtR4vKx2LmB7nWc5YpD9sGh3JfA6uE1oTi0QkX"),
        ('api_key = ["{}"]', "q8ZtR4vKx2LmB7nWc5YpD9sGh3JfA6uE1oTi0QkX"),
        ("'api_keys': ['{}', '{}']", "q8ZtR4vKx2LmB7nWc5YpD9sGh3JfA6uE1oTi0QkX"),
        ('Conf { password: Some("{}") }', "hunTer2x9Qz"),
        ('<Password type="plain">{}</Password>', "hunTer2x9Qz"),
        ('<entry key="db.password">{}</entry>', "hunTer2x9Qz"),
        ('password = """\n{}\n"""', "hunTer2x9Qz"),
    ],
)
def test_secrets_that_an_attacker_tried(text: str, secret: str) -> None:
    shown = redact(text.replace("{}", secret))
    assert secret[:8] not in shown and secret[-8:] not in shown
    assert shown.startswith(text.partition("{")[0].split("//")[0])


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (
            r"send: b'GET /x HTTP/1.1\r\nHost: h\r\nCookie: JSESSIONID={}\r\n\r\n'",
            "C6B15E3118F3210B0170C2285",
        ),
        (
            r"b'GET /x HTTP/1.1\r\nX-Api-Key: 1\r\nSet-Cookie: JSESSIONID={}'",
            "C6B15E3118F3210B0170C2285693298C",
        ),
        (r"'GET /x HTTP/1.1\nAuthorization: Klaviyo-API-Key {}'", "abc9dk2lq8w4"),
        ("Setting --http-password (httppassword) to {}", "Tulip99Garden"),
        ("apiVersion: v1\ndata:\n  db-conn: {}\nkind: Secret\n", "cURTbmVOejROYzZrU0pNaEUwTk0="),
        ("kind: Secret\nmetadata:\n  name: x\nstringData:\n  conn: {}", "xVGDikmlupVSnldvX21ILCRO"),
    ],
)
def test_secrets_in_what_programs_print_to_debug(text: str, secret: str) -> None:
    assert secret[-8:] not in redact(text.replace("{}", secret))


@pytest.mark.parametrize("disguise", EXPLOITS)
def test_no_disguise_hides_a_secret(disguise: str) -> None:
    left = [
        case.kind for case in exploits() if case.kind.endswith(disguise) and case.leaks(redact(case.text))
    ]
    assert left == []


@pytest.mark.parametrize(
    "command",
    ["curl -u bob:{} https://x", "curl --user bob:{} https://x", "mysql -p{} x", "mysqldump -u bob -p{} x"],
)
def test_of_two_commands_on_a_line_both_secrets_are_gone(command: str) -> None:
    shown = redact(f"{command.format('Hv3kQp8Zw')} && {command.format('Ty7mBx2Lq')}")
    assert "Hv3kQp8Zw" not in shown and "Ty7mBx2Lq" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "sshpass -p hK7pQ2vXz9 ssh gpu01",
        "mysql -u root -phK7pQ2vXz9 mlflow",
        "curl -u admin:hK7pQ2vXz9 https://x",
        "X-Auth-Token: 667a9bbchK7pQ2vXz9463308b2",
        "setenv DB_PASSWORD hK7pQ2vXz9",
        "HTTPBasicAuth('bob', 'hK7pQ2vXz9')",
        "<password>hK7pQ2vXz9</password>",
        "password: >-\n  hK7pQ2vXz9",
        "密码是 hK7pQ2vXz9",
        "password=\x1b[32m'hK7pQ2vXz9'\x1b[0m",
    ],
)
def test_what_a_string_or_a_page_took_in_is_known(text: str) -> None:
    """A log in JSON, what http.client prints to debug, a page, and for the most part a query."""
    text = f"first\n{text}\nlast"
    told = [json.dumps({"log": text}), json.dumps(json.dumps([text])), f"send: {text!r}", html.escape(text)]
    told += [quote(text)] if text.isascii() and "\x1b" not in text else []
    for each in told:
        shown = redact(each)
        assert "hK7pQ2vXz9" not in shown and "first" in shown, each
        assert redact(shown) == shown


HF = "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"


@pytest.mark.parametrize("colour", ["[32m", "[0;32;1m", "^[[32m", "#033[32m", "\u241b[32m", r"\u{1b}[32m"])
@pytest.mark.parametrize("text", [f"*{HF}", "password*=*hK7pQ2vXz9", "*sshpass -p hK7pQ2vXz9 ssh"])
def test_a_colour_whose_escape_character_was_lost_hides_nothing(colour: str, text: str) -> None:
    """As a page, a mail, rsyslog or `less` shows them: the m stands right before the token."""
    shown = redact("step 1 " + text.replace("*", colour))
    assert HF not in shown and "hK7pQ2vXz9" not in shown and shown.startswith("step 1")
    assert redact(shown) == shown


@pytest.mark.parametrize(
    "end", [r"\x0a", r"\012", r"\U0000000a", r"\u{a}", "#012", "^M", "&#10;", "&#xA;", "<br/>", "%250A"]
)
def test_the_end_of_a_line_in_any_coat_hides_nothing(end: str) -> None:
    assert redact(f"x{end}{HF}").endswith(MARK)
    assert "hK7pQ2vXz9" not in redact(f"x{end}sshpass -p hK7pQ2vXz9 ssh")


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (r'"https:\/\/hooks.slack.com\/services\/T0AB12CD3\/B0AB12CD3\/{}"', "xK2qPzL7rTbVn4McXsWqvF9r"),
        (
            r'"https:\/\/conda.anaconda.org\/t\/{}\/acme\/linux-64\/x.json"',
            "RJIQzIgv0sBZ4ou4yf3CLnubUZXblchh",
        ),
        (quote(json.dumps({"log": "first\nsshpass -p {} ssh"}), safe="{}"), "hK7pQ2vXz9"),
        (quote(json.dumps({"log": "first\nmysql -u root -p{} x"}), safe="{}"), "hK7pQ2vXz9"),
        ("first%0Asshpass+-p+{}+ssh+gpu", "hK7pQ2vXz9"),
        ("curl+-u+admin%3A{}+https%3A%2F%2Fx", "hK7pQ2vXz9"),
        (quote("密码是 {}", safe="{}"), "hK7pQ2vXz9"),
        (repr("密码: {}".encode()), "hK7pQ2vXz9"),
        ("<tr><td>password</td><td>{}</td></tr>", "hK7pQ2vXz9"),
        ("<b>password</b>: <code>{}</code>", "hK7pQ2vXz9"),
        ("password:&nbsp;{}", "hK7pQ2vXz9"),
    ],
)
def test_what_several_layers_took_in_is_known(text: str, secret: str) -> None:
    """JSON that escapes each slash (ujson, PHP), JSON in a query, a form, other letters as bytes, a page."""
    shown = redact(text.replace("{}", secret))
    assert secret[:8] not in shown
    assert redact(shown) == shown


def test_healthy_lines_stay() -> None:
    assert len(HEALTHY) >= 100
    changed = [(line, redact(line)) for line in HEALTHY if redact(line) != line]
    assert len(changed) <= MAX_CHANGED * len(HEALTHY), changed


def test_a_whole_log_is_no_different_from_its_lines() -> None:
    made: list[Case] = [case for case in cases() if case.kind not in ("user name", "private key")]
    log = "\n".join(line for case in made for line in (case.text, *HEALTHY[:3]))
    redacted = redact(log)
    left = Counter(case.kind for case in made if case.leaks(redacted))
    assert sum(left.values()) <= (1 - MIN_GONE) * len(made), left


# Any text

PIECES = st.sampled_from(
    [
        "password", "token", "key", "=", ": ", "'", '"', "hf_", "ghp_", "a1B2c3D4e5F6g7H8i9J0", "://", "@", "/home/", "/", "\\", "bob", "10.1.2.3",
        "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "\n", "\r", " ", ".", "-", "密码", "：", "\x1b[31m", "\x1b", "\u200b", "\ud800", "\x00",
        "\u061c", MARK, "<", ">", "curl -u ", "ssh ", "eyJabcdefgh", "fe80::1", "Cookie: ", "user=", "Author: ", "?", "&", "x", "$", "host : ", ":1:1 [0] NCCL ",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(st.characters(), max_size=60)


@given(TEXTS)
@settings(max_examples=int(os.environ.get("TORCHWHY_TEST_EXAMPLES", "1500")), deadline=None)
def test_any_text_is_redacted_once_and_for_all(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert not {c for c in once if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - set("\n\t")
    once.encode()
    for other in (anonymous, shorten):
        other(text).encode(errors="strict")


# Time


@pytest.mark.parametrize("shape", SHAPES)
def test_redacting_is_linear(shape: str) -> None:
    assert growth(redact, SHAPES[shape]) <= 2.6


def _own_shapes() -> dict[str, tuple[Callable[[str], object], str]]:
    """Every pattern of these modules with texts made of its own keyword, which it has to look at again and again."""
    found: dict[str, tuple[Callable[[str], object], str]] = {}
    for keyword, pattern in token_forms.TOKEN_FORMS:
        found[pattern] = (_searching(pattern), keyword)
    for keywords, compiled, _ in named_secrets.patterns():
        found[compiled.pattern] = (_searching(compiled.pattern), keywords[0].decode())
    for form in (
        *whereabouts.HOST_FORMS,
        *whereabouts.USER_FORMS,
        *whereabouts.HOME_FORMS,
        whereabouts.MAIL,
        whereabouts.AUTHOR,
    ):
        found[form] = (_searching(form), "host: a@b:1 ")
    return found


def _searching(pattern: str) -> Callable[[str], object]:
    compiled = named_secrets.compiled(pattern)
    return lambda text: sum(1 for _ in compiled.finditer(text.encode()))


@pytest.mark.parametrize("pattern", _own_shapes())
def test_every_pattern_is_linear_on_its_own_keyword(pattern: str) -> None:
    search, keyword = _own_shapes()[pattern]
    for piece in (keyword, keyword + "=a", keyword + " a\n"):
        assert growth(search, repeated(piece), sizes=(1 << 15, 1 << 16)) <= 2.6, piece


def test_redacting_is_quick() -> None:
    redact("warm")
    text = "\n".join([TWICE, *SECRETS.values(), "x" * 100_000, "a.b-" * 20_000, "1." * 20_000]) * 3
    started = time.process_time()
    redact(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("shape", SHAPES)
def test_cleaning_is_linear(shape: str) -> None:
    assert growth(plain, SHAPES[shape]) <= 2.6


# One of each, to read


SECRETS = {
    "github": "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8",
    "hugging face": "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz",
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "wandb": "WANDB_API_KEY=" + "0123456789abcdef" * 2 + "01234567",
    "password": "password: hunter2hunter2",
    "url": "https://bob:s3cr3tpw@git.example.com/x.git",
    "query": "https://bucket.example.com/f?X-Amz-Signature=abcdef0123456789",
    "jwt": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "bearer": "Authorization: Bearer abcdefghijklmnop1234567890",
    "key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nq8h\n-----END RSA PRIVATE KEY-----",
    "slack": "xoxb-" + "123456789012-1234567890123-abcdefABCDEF123456789012",
    "openai": "sk-" + "abcdefghijklmnopqrst" + "T3BlbkFJ" + "abcdefghijklmnopqrst",
    "mail": "jane.doe@example.org",
    "address": "connect to 8.8.4.4:29500",
}
PARTS = {
    "github": ["a1B2c3D4e5F6g7H8i9J0"],
    "hugging face": ["AbCdEfGhIjKl"],
    "aws": ["IOSFODNN7"],
    "wandb": ["0123456789abcdef"],
    "password": ["hunter2"],
    "url": ["s3cr3tpw", "bob"],
    "query": ["abcdef0123456789"],
    "jwt": ["eyJzdWIi", "SflKxwRJ"],
    "bearer": ["abcdefghijklmnop"],
    "key": ["MIIEpAIB", "q8h"],
    "slack": ["abcdefABCDEF"],
    "openai": ["T3BlbkFJ"],
    "mail": ["jane", "doe"],
    "address": ["8.8.4.4"],
}


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_are_taken_out(name: str) -> None:
    text = redact(f"before {SECRETS[name]} after")
    assert text.startswith("before ") and text.rstrip().endswith("after")
    assert MARK in text
    assert not [part for part in PARTS[name] if part in text], text


@pytest.mark.parametrize(
    "line",
    [
        TWICE,
        "RuntimeError: Expected size 32 but got size 31 for tensor number 1 in the list.",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 9.77 GiB of which 185.50 MiB is free.",
        "KeyError: 'model.layers.0.self_attn.q_proj.weight'",
        "Setting `pad_token_id` to `eos_token_id`:50256 for open-end generation.",
        "[rank0]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3690, unhandled cuda error, NCCL version 2.29.3",
        "nvidia-cudnn-cu12==9.1.0.70 nvidia-cublas-cu12 12.4.5.8 driver 535.104.05",
        "The server socket has failed to listen on any local network address. port: 29500, 127.0.0.1, 0.0.0.0, [::1]:29500, localhost",
        "cuDNN version: Probably /usr/lib/libcudnn.so.8.9.2.26, nvidia-curand-cu12      10.3.5.147, cudnn 8.5.0.96, torch==2.6.0+cu124",
        "at 12:30:45 std::dec add::face c10::Error; threading.local() in the host's memory",
        "see https://pytorch.org/docs/stable/notes/cuda.html and https://github.com/pytorch/pytorch/issues/1",
        '  File "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1773, in _wrapped_call_impl',
        "hash mismatch: sha256 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db at 0x7f3a2b4c5d60",
        "token = tokens[0]; key = keys[1]; secret = None",
        "['query', 'key', 'value'], {'key', 'model.layers.0.self_attn.q_proj.weight'}, ('token', 'input_ids_of_the_batch')",
        "columns=['password', 'username'], train.py --tokenizer 'bert-base-uncased', ['--pad-token', '<pad>']",
        "see https://discuss.pytorch.org/t/rtx-3090-with-cuda-11-vs-12-and-torch-2-1/98765 and its /t/dataloader-num-workers/12",
        "client = Client('tcp://127.0.0.1:8786'), kubectl create configmap x --from-literal=lr=0.001",
        "args:\n- --pad-token\n- <pad>\n- --sort-key\n- length\n- --lr\n- 1e-4",
        '"args": [\n  "--sort_key",\n  "length_of_the_sentence",\n  "--tokenizer"',
        "kind: ConfigMap\ndata:\n  lr: 0.001\n---\nkind: Deployment\nmetadata:\n  name: train",
        "[2/9] ENV NCCL_DEBUG INFO\n[3/9] ENV TOKENIZERS_PARALLELISM false\n>>> keys\n['weight', 'bias']",
        r'{"text": "it said \"token\" and \"key\"", "n": 3}',
        "['--num_key', '8', '--special_token', '<|endoftext|>'], def f(key: str = 'state_dict_of_the_model')",
        "tokens: [101, 7592, 2088, 102], keys = ['model.layers.0.self_attn.q_proj.weight', 'lm_head.weight']",
        "Unexpected key model.layers.11.self_attn.q_proj.weight_scale_inv, token <|reserved_special_token_12|>",
        r"C:\\temp\\new\\tokenizer\\results_2024\\rank0.log 50%20 &lt;module&gt; \\u0120the \\x1b[31mred",
        "checkpoint('-p', 'per_device_train_batch'), AUTH required, key layer4.1.bn2.num_batches_tracked",
    ],
)
def test_what_a_maintainer_needs_stays(line: str) -> None:
    assert redact(line) == line


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('File "/home/alice/x/train.py"', f'File "/home/{MARK}/x/train.py"'),
        ("/Users/bob/x /Users/bob", f"/Users/{MARK}/x /Users/{MARK}"),
        ("C:\\Users\\Carol\\x.py", f"C:\\Users\\{MARK}\\x.py"),
        ("C:\\\\Users\\\\Carol\\\\x.py", f"C:\\\\Users\\\\{MARK}\\\\x.py"),
        ("/srv/people/jd/x.py /srv/people/jdoe/x.py /srv/people/jd", "~/x.py /srv/people/jdoe/x.py ~"),
        (
            "C:\\Users\\Carol Ann Roe\\x.py and D:\\data\\Users guide.txt",
            f"C:\\Users\\{MARK}\\x.py and D:\\data\\Users guide.txt",
        ),
        (
            "/home/model/x.py: KeyError: 'model' in /scratch/model/y.py",
            f"/home/{MARK}/x.py: KeyError: 'model' in /scratch/{MARK}/y.py",
        ),
        (
            "[zoe@node17 x]$ torchrun t.py\nnode17:88:88 [0] NCCL INFO on node17",
            f"[{MARK}@{MARK} x]$ torchrun t.py\n{MARK}:88:88 [0] NCCL INFO on {MARK}",
        ),
        ("root@f3a9c1:/w# python t.py", f"root@{MARK}:/w# python t.py"),
        (
            "--master_addr=head01 --rdzv_endpoint head.cluster.corp:29500 tcp://10.1.2.3:1",
            f"--master_addr={MARK} --rdzv_endpoint {MARK}:29500 tcp://{MARK}:1",
        ),
        (
            "failed to connect to [node17]:29500 from 192.168.1.77 and 2001:db8::8a2e:7334",
            f"failed to connect to [{MARK}]:29500 from {MARK} and {MARK}",
        ),
        ("  host      : node17\n  rank      : 1", f"  host      : {MARK}\n  rank      : 1"),
        ("https://models.acme-corp.com/x.pt", f"https://{MARK}/x.pt"),
        ("host gpu-node-17.corp.example.com is down", f"host {MARK} is down"),
        (
            "gpu-17.corp.acme.com:12:13 [0] NCCL INFO x, git.internal.acme.co.uk.",
            f"{MARK}:12:13 [0] NCCL INFO x, {MARK}.",
        ),
        (
            'File "/scratch/notes/a/crash.py" /scratch/maya/x.py',
            f'File "/scratch/notes/a/crash.py" /scratch/{MARK}/x.py',
        ),
        ("jane.roe ran on big-host-3.example.org (big-host-3)", f"{MARK} ran on {MARK} ({MARK})"),
    ],
)
def test_names_and_homes(text: str, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/people/jd")
    monkeypatch.setenv("LOGNAME", "jane.roe")
    monkeypatch.setattr(platform, "node", lambda: "big-host-3.example.org")
    redacting._own_names.cache_clear()
    try:
        assert redact(text) == wanted
    finally:
        redacting._own_names.cache_clear()


def test_a_private_key_whose_beginning_was_cut_off() -> None:
    line = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0ZQ2p8v1Zf6PqX0Jx9Zb1cYk3vA"
    text = f"RuntimeError: x\n{line}\n[rank0]: {line}\n-----END RSA PRIVATE KEY-----\nafter it\n"
    redacted = redact(text)
    assert line not in redacted
    assert redacted.startswith("RuntimeError: x\n") and redacted.endswith("after it\n")


@pytest.mark.parametrize(
    "text",
    [
        "password%3D{}",
        "token=1&next=%22password%22%3A%22{}%22",
        "password&#61;{}",
        "&quot;password&quot;: &quot;{}&quot;",
        r"{{\u0022password\u0022:\u0022{}\u0022}}",
        "password\u00a0=\u00a0{}",
        "密码\u3000：\u3000{}",
        "密碼：{}",
        "- name: DB_PASSWORD\n  value: {}",
        "{{'name': 'DB_PASSWORD',\n 'value': '{}'}}",
        "setenv DB_PASSWORD {}",
    ],
)
def test_a_name_in_another_coat_still_tells_its_secret(text: str) -> None:
    assert "hK7pQ2vXz9LmR4tW" not in redact(text.format("hK7pQ2vXz9LmR4tW"))


@pytest.mark.parametrize(
    "below", ["RuntimeError: sizes differ", "Traceback (most recent call last):", "KeyboardInterrupt"]
)
def test_what_stands_below_a_token_is_no_rest_of_it(below: str) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert redact(f"{token}\n{below}") == f"<redacted>\n{below}"
    assert redact(f"{token[:20]}\n{token[20:]}\n{below}") == f"<redacted>\n{below}"
