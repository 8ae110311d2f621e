"""A summary as one HTML page that asks no network, and as lines for a terminal."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import date, timedelta

from torchwhy.knowledge.site import page_of_id
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import written_out
from torchwhy.text.width import shortened

from .row import Row
from .summary import SHOWN_CAUSES, Cause, Summary

Title = Callable[[str], str]
SHOWN_UNKNOWN, SHOWN_LINES = 30, 10
MIN_HOURS = 0.05  # below which a log's time stamps tell nothing: it has one, or died at once
MAX_ERROR_CHARS = 120  # of an error, in a line of a terminal
TEACH = "torchwhy kb new CATEGORY/ID --from FINGERPRINT --triage DIR"
MAX_DAYS = 60  # of a trend, the latest
BAR_WIDTH, BAR_HEIGHT = 6, 24  # pixels of a day in a trend
STYLE = """
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3em .6em;border-bottom:1px solid #8884;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}pre{overflow-x:auto;padding:.6em;background:#8881;white-space:pre-wrap}
td:not(.n),li,summary,code{overflow-wrap:anywhere}.n{white-space:nowrap}small{opacity:.75}svg{fill:#c43;vertical-align:middle;max-width:100%}details details{margin-left:1em}.causes tr:has(+.jobs)>*{border:0}.new{background:#c43;color:#fff;padding:0 .4em;border-radius:.3em}
@media(max-width:600px){.causes tr{display:grid;grid-template-columns:1fr auto auto}.causes tr>:nth-child(4),.jobs td{grid-column:1/-1}}
"""


def cause_name(cause: Cause, title: Title, lang: str) -> str:
    """A cause in words: an entry's title and id."""
    if cause.kind in ("entry", "family"):
        return f"{title(cause.name)} ({cause.name})"
    if cause.kind == "python":
        return phrase("triage_python", lang, name=cause.name)
    return phrase("triage_unexplained", lang, name=shortened(cause.example, MAX_ERROR_CHARS) or cause.name)


def _linked_cause(cause: Cause, title: Title, lang: str) -> str:
    """A cause in HTML, as a link to its page where a site is set."""
    name = escape(cause_name(cause, title, lang))
    page = page_of_id(cause.name, lang) if cause.kind in ("entry", "family") else None
    return f'<a href="{escape(page)}">{name}</a>' if page else name


def terminal_lines(summary: Summary, title: Title, lang: str) -> list[str]:
    """The summary in some thirty lines."""
    causes = []
    for cause in summary.causes:
        mark = f" [{phrase('triage_new_mark', lang)}]" if cause.new else ""
        hours = f"{_hours(cause)} h" if _hours(cause) else ""
        causes.append(f"{cause.jobs:>8}{hours:>12}  {cause_name(cause, title, lang)}{mark}")
    new = [
        f"{jobs:>8}  {mark}  {shortened(error, MAX_ERROR_CHARS)}" for mark, error, jobs in summary.new or ()
    ]
    if summary.new == []:
        new = [phrase("triage_nothing_new", lang)]
    unknown = [
        f"{jobs:>8}  {mark}  {shortened(error, MAX_ERROR_CHARS)}" for mark, error, jobs, _ in summary.unknown
    ]
    unread = [f"  {path}: {why}" for path, why in summary.unreadable]
    sections: list[tuple[list[str], list[str]]] = [
        ([phrase("triage_causes", lang)], causes),
        ([phrase("triage_new", lang)], new),
        ([phrase("triage_hosts", lang)], [f"  {each}" for each in _hosts(summary, title, lang)]),
        ([phrase("triage_unknown", lang), f"  {TEACH}"], unknown),
        ([phrase("triage_unread", lang)], unread),
    ]
    lines = [_counts(summary, lang), phrase("triage_quiet", lang)]
    for heading, rows in sections:
        if rows:
            lines += ["", *heading, *rows[:SHOWN_LINES], *_more(len(rows) - SHOWN_LINES, lang)]
    return lines


def html_page(summary: Summary, title: Title, lang: str) -> str:
    """The whole page."""
    parts = [
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{_said('triage_title', lang)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{_said('triage_title', lang)}</h1>",
        f"<p>{escape(_counts(summary, lang))}<br><small>{_said('triage_quiet', lang)}</small></p>",
        *_causes(summary, title, lang),
        *_new(summary, lang),
        f"<h2>{_said('triage_hosts', lang)}</h2>",
    ]
    hosts = _hosts(summary, title, lang)
    if hosts:
        parts += ["<ul>", *(f"<li>{escape(each)}</li>" for each in hosts), "</ul>"]
        parts.append(f"<p><small>{_said('triage_hosts_how', lang)}</small></p>")
    else:
        parts.append(f"<p>{_said('triage_no_hosts', lang)}</p>")
    if summary.unknown:
        parts.append(f"<h2>{_said('triage_unknown', lang)}</h2>")
    for each in summary.unknown[:SHOWN_UNKNOWN]:
        parts.append(
            f"<details><summary>{each.jobs} × <code>{escape(shortened(each.error, 200))}</code></summary>"
            f"<p><code>{TEACH.replace('FINGERPRINT', escape(each.fingerprint))}</code></p>"
        )
        parts += [f"<pre>{escape(example)}</pre>" for example in each.examples]
        parts.append("</details>")
    if summary.unreadable:
        parts.append(f"<h2>{_said('triage_unread', lang)}</h2><table>")
        parts += [
            f"<tr><td><code>{escape(path)}</code></td><td>{escape(why)}</td></tr>"
            for path, why in summary.unreadable
        ]
        parts.append("</table>")
    return "\n".join([*parts, "</body></html>", ""])


def _causes(summary: Summary, title: Title, lang: str) -> list[str]:
    days = _days(summary)
    heads = [(_said(key, lang), " class=n") for key in ("triage_jobs", "triage_hours")]
    trend = f"<br><small>{phrase('triage_days', lang, first=days[0], last=days[-1])}</small>" if days else ""
    heads = [(_said("triage_cause", lang), ""), *heads, (_said("triage_trend", lang) + trend, "")]
    parts = [
        f"<h2>{_said('triage_causes', lang)}</h2><table class=causes><tr>",
        *(f"<th{kind}>{said}</th>" for said, kind in heads),
        "</tr>",
    ]
    for cause in summary.causes[:SHOWN_CAUSES]:
        mark = f' <span class="new">{_said("triage_new_mark", lang)}</span>' if cause.new else ""
        # the name of an error that nothing explains is the error itself
        example = (
            "" if cause.kind == "unknown" else f"<br><small>{_code(shortened(cause.example, 200))}</small>"
        )
        parts.append(
            f"<tr><td>{_linked_cause(cause, title, lang)}{mark}{example}</td>"
            f"<td class=n>{cause.jobs}</td><td class=n>{_hours(cause)}</td><td>{_trend(cause, days)}</td></tr>"
            f"{_jobs(cause, summary, lang)}"
        )
    more = _more(len(summary.causes) - SHOWN_CAUSES, lang)
    return [*parts, "</table>", *(f"<p>{escape(each)}</p>" for each in more)]


def _jobs(cause: Cause, summary: Summary, lang: str) -> str:
    """The cause's last jobs, each of which opens the lines of its log."""
    rows = cause.last_jobs
    if not rows:
        return ""
    said = escape(phrase("triage_open", lang, count=str(len(rows))))
    parts = [f"<tr class=jobs><td colspan=4><details><summary>{said}</summary>"]
    for row in rows:
        number, text = summary.lines.get(row.path) or (None, row.error or "")
        place = row.path if number is None else f"{row.path}:{number}"
        parts.append(
            f"<details><summary>{escape(_job(row))}</summary>{_code(place)}<pre>{escape(text)}</pre></details>"
        )
    return "".join([*parts, "</details></td></tr>"])


def _job(row: Row) -> str:
    rank = None if row.rank is None else f"rank {row.rank}"
    time = None if row.time is None else f"{row.time:%Y-%m-%d %H:%M}"
    return " · ".join(filter(None, (row.job, rank, row.host, time)))


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _days(summary: Summary) -> list[str]:
    """Each day from the first job lost to the last, of the latest ones."""
    lost = sorted({day for cause in summary.causes for day in cause.days})
    if not lost:
        return []
    last = date.fromisoformat(lost[-1])
    count = min(MAX_DAYS, (last - date.fromisoformat(lost[0])).days + 1)
    return [(last - timedelta(back)).isoformat() for back in reversed(range(count))]


def _trend(cause: Cause, days: list[str]) -> str:
    """Bars of jobs lost by day, each with its figure as a title."""
    most = max((cause.days[day] for day in days), default=0)
    if not most:
        return ""
    bars = []
    for number, day in enumerate(days):
        high = max(1, round(BAR_HEIGHT * cause.days[day] / most)) if cause.days[day] else 0
        bars.append(
            f'<rect x="{number * BAR_WIDTH}" y="{BAR_HEIGHT - high}" width="{BAR_WIDTH - 1}" height="{high}">'
            f"<title>{day}: {cause.days[day]}</title></rect>"
        )
    width = len(days) * BAR_WIDTH
    return f'<svg role="img" width="{width}" height="{BAR_HEIGHT}" viewBox="0 0 {width} {BAR_HEIGHT}">{"".join(bars)}</svg>'


def _new(summary: Summary, lang: str) -> list[str]:
    if summary.new is None:
        return []
    parts = [f"<h2>{_said('triage_new', lang)}</h2>"]
    if not summary.new:
        return [*parts, f"<p>{_said('triage_nothing_new', lang)}</p>"]
    rows = [
        f"<tr><td class=n>{jobs}</td><td><code>{escape(mark)}</code></td><td><code>{escape(shortened(error, 300))}</code></td></tr>"
        for mark, error, jobs in summary.new[:SHOWN_CAUSES]
    ]
    return [*parts, "<table>", *rows, "</table>"]


def _counts(summary: Summary, lang: str) -> str:
    figures = {
        "jobs": summary.jobs,
        "failed": summary.failed,
        "logs": summary.logs,
        "unreadable": len(summary.unreadable),
    }
    return phrase("triage_counts", lang, **{name: f"{value:,}" for name, value in figures.items()})


def _hosts(summary: Summary, title: Title, lang: str) -> list[str]:
    """The hosts that stand out, in all and for one cause, a line each."""

    def words(number: float) -> str:
        return f"{number:.1e}"

    lines = [
        phrase("triage_host", lang, name=name, jobs=str(jobs), failed=str(failed), chance=words(chance))
        for name, jobs, failed, chance in summary.hosts
    ]
    for cause in summary.causes:
        said = cause_name(cause, title, lang)
        for name, _, failed, chance in cause.hosts:
            told = {"name": name, "failed": str(failed), "all": str(cause.jobs), "chance": words(chance)}
            lines.append(phrase("triage_host_cause", lang, cause=said, **told))
    return lines


def _hours(cause: Cause) -> str:
    """GPU hours; nothing where the logs tell none."""
    return f"{cause.gpu_hours:.1f}" if (cause.gpu_hours or 0) >= MIN_HOURS else ""


def _more(count: int, lang: str) -> list[str]:
    return [phrase("triage_more", lang, count=str(count))] if count > 0 else []


def escape(text: str) -> str:
    """`text` for HTML, with what acts or hides written out: names of files come from anywhere."""
    return html.escape(written_out(text))


def _said(key: str, lang: str) -> str:
    return escape(phrase(key, lang))
