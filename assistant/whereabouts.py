"""Taking out of a text where it came from: network addresses, host names, and user names that paths and prompts tell.

A name found in one place (a shell prompt, NCCL's `host:pid:tid`, a home folder) is then taken out wherever it stands in
a place of its kind. Words of the error itself must survive: a user may be called `model`.
"""

from __future__ import annotations

import ipaddress
import re

MARK = "<redacted>"
IPV4 = re.compile(r"(?<![\w.=-])(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])")
# A release of four numbers (cuDNN 9.1.0.70, driver 10.3.5.147) stands after a word that says so.
RELEASE = re.compile(r"(?:\b(?:version|release|driver|toolkit|cudnn|nvidia[\w-]*|[\w-]*-cu\d\d|cu\d\d)\W{0,20}|==\s*)\Z", re.IGNORECASE)
IPV6 = re.compile(r"(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w+)?(?![\w:])", re.IGNORECASE)
URL = re.compile(r"(?i)\b(?P<scheme>[a-z][a-z0-9+]{1,9}://(?:<redacted>@)?)(?P<host>[\w.-]{1,253})")
# Hosts that everybody may know: what a bug report links to. Everything else may be a company's own.
PUBLIC = re.compile(
    r"(?i)(?:.*\.)?(?:pytorch\.org|github\.com|githubusercontent\.com|gitlab\.com|huggingface\.co|hf\.co|pypi\.org|pythonhosted\.org|python\.org|nvidia\.com|"
    r"stackoverflow\.com|readthedocs\.io|readthedocs\.org|github\.io|anaconda\.(?:org|com)|arxiv\.org|kaggle\.com|wandb\.ai|modelscope\.cn|example\.(?:com|org))\Z"
)
NEAR = re.compile(r"(?i)\A(?:localhost|ip6-localhost|127\.[\d.]+|0\.0\.0\.0|::1?|none|null|auto|\$\{?\w+\}?)\Z")  # says nothing of where
HOSTS = [
    re.compile(r"(?m)^(?P<name>[A-Za-z0-9][\w.-]{1,252}):\d{1,9}:\d{1,9} \[\d{1,3}\] NCCL "),
    re.compile(r"(?mi)^(?:\[[\w-]{1,20}\]:)?\s{0,8}host\s{0,8}:\s{1,4}(?P<name>[\w.-]{2,253})\s*$"),  # torchrun's table of failures
    re.compile(r"\[(?P<name>[A-Za-z][\w.-]{1,252})\]:\d{2,5}\b"),
    re.compile(r"(?i)(?:master_addr|rdzv[_-]endpoint|node_?addr|hostname|local_addr)[\"']?\s{0,2}[=:]\s{0,2}[\"']?(?P<name>[A-Za-z0-9][\w.-]{0,252})"),
    re.compile(r"(?m)^(?:\([\w.-]{1,40}\) )?\[?[A-Za-z_][\w.-]{0,31}@(?P<name>[A-Za-z0-9][\w.-]{0,252})(?=[: ])[^\n]{0,200}?[\]$#%>]"),  # a shell's prompt
    re.compile(r"(?i)\b(?P<name>[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.(?:internal|lan|corp|intranet))\b"),
    re.compile(r"(?i)\b(?P<name>[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.local)(?=:\d)"),
]
PROMPT_USERS = re.compile(r"(?m)^(?:\([\w.-]{1,40}\) )?\[?(?P<name>[A-Za-z_][\w.-]{0,31})@[A-Za-z0-9][\w.-]{0,252}(?=[: ])[^\n]{0,200}?[\]$#%>]")
HOMES = re.compile(
    r"(?i)(?P<before>(?:/home|/Users|/export/home|/mnt/home)[/\\]+|\b[A-Z]:\\+Users\\+|/[A-Z]/Users/)(?P<name>(?<=\\)[^/\\\n\"'<>|:*?]{1,64}(?=\\)|[^/\\\s\"':<>]+)"
)
NOBODY = {"root", "ubuntu", "user", "runner", "public", "default", "all users", "shared"}


def without(text: str) -> str:
    """`text` without addresses and names of hosts and users. Loopback addresses and well-known sites stay."""
    text = URL.sub(lambda found: found[0] if PUBLIC.match(found["host"]) or NEAR.match(found["host"]) else found["scheme"] + MARK, text)
    hosts = {found["name"] for form in HOSTS for found in form.finditer(text) if not NEAR.match(found["name"]) and not PUBLIC.match(found["name"])}
    users = {found["name"] for form in (PROMPT_USERS, HOMES) for found in form.finditer(text)} - {MARK}
    users = {name for name in users if name.lower() not in NOBODY}
    text = HOMES.sub(lambda found: found["before"] + MARK if found["name"] in users else found[0], text)
    for name in sorted(hosts, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", MARK, text)
    for name in sorted(users, key=len, reverse=True):  # only where a user's name stands: it may be a common word
        text = re.sub(rf"(?<![\w./-]){re.escape(name)}(?=@)|(?<=/){re.escape(name)}(?=/)|(?<=user=){re.escape(name)}\b", MARK, text)
    return IPV6.sub(_address, IPV4.sub(_address, text))


def _address(found: re.Match[str]) -> str:
    text = found[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if address.is_loopback or address.is_unspecified or str(address) == "255.255.255.255":
        return text
    if address.version == 4 and RELEASE.search(found.string[max(0, found.start() - 60) : found.start()]):
        return text
    return text if address.version == 6 and text.replace(":", "").isalpha() and "::" in text and len(text) < 12 else MARK  # a C++ name: `add::dec`
