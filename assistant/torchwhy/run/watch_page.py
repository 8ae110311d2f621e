"""The page at the end of a watched run: lines for the terminal, and a file of HTML without references."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from torchwhy.knowledge.site import page_of_id
from torchwhy.text.phrases import phrase

from .watched import Watched, WatchFinding

PLOT_WIDTH, PLOT_HEIGHT = 320, 80  # pixels
STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "body{color:#222;background:#fff}code{background:#eee;padding:0 .2rem}li{margin:.5rem 0}"
    "figure{display:inline-block;margin:.5rem 1rem .5rem 0}"
    "figcaption,small{color:#555}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}"
    "code{background:#333}figcaption,small{color:#aaa}}"
)


def finding_line(finding: WatchFinding, lang: str) -> str:
    """One finding in one line: where, at which step, what, and how to read on."""
    rank = f" [{phrase('run_here_rank', lang, rank=str(finding.rank))}]" if finding.rank is not None else ""
    return phrase(
        "watch_finding",
        lang,
        place=f"{finding.path}:{finding.line}{rank}",
        step=str(finding.step),
        message=finding.message,
        id=finding.id,
    )


def page_lines(watched: Watched, lang: str) -> list[str]:
    """What is said when the command has ended: counts, the share of waiting, the findings' entries."""
    if not watched.saw_training and not watched.findings:
        return [phrase("watch_no_training", lang)]
    told = watched.summary
    guards = told.get("guards")
    count = len(guards) if isinstance(guards, list) else 0
    lines = [
        phrase(
            "watch_seen",
            lang,
            steps=str(told.get("steps", 0)),
            seconds=f"{_number(told.get('seconds')):.3g}",
            guards=str(count),
            findings=str(len(watched.findings)),
        )
    ]
    seconds, wait = _number(told.get("seconds")), _number(told.get("wait_s"))
    if wait and seconds:
        lines.append(phrase("watch_wait", lang, share=f"{100 * wait / seconds:.0f}", wait=f"{wait:.3g}"))
    if told.get("compiled"):
        lines.append(phrase("watch_compiled", lang))
    return lines


def html_page(watched: Watched, command: Sequence[str], lang: str) -> str:
    """The page as a document of its own: no script, nothing loaded, plots as SVG."""
    say = html.escape
    head = phrase("watch_title", lang)
    parts = [
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{say(head)}</title>',
        f"<style>{STYLE}</style><h1>{say(head)}</h1><p><code>{say(' '.join(command))}</code></p>",
        *(f"<p>{say(line)}</p>" for line in page_lines(watched, lang)),
    ]
    if watched.findings:
        items = "".join(
            f"<li><code>{say(one.path)}:{one.line}</code> <small>({say(_step(one, lang))})</small><br>"
            f"{say(one.message)}<br><small>{_shown(one.id, lang)}</small></li>"
            for one in watched.findings
        )
        parts.append(f"<ol>{items}</ol>")
    figures = watched.summary.get("figures")
    if isinstance(figures, Mapping):
        parts += [plot(str(name), points) for name, points in figures.items() if isinstance(points, list)]
    guards = watched.summary.get("guards")
    found = {one.id for one in watched.findings}
    if isinstance(guards, list):
        fine = ", ".join(say(str(one)) for one in guards if one not in found)
        parts.append(f"<h2>{say(phrase('watch_fine', lang))}</h2><p><small>{fine}</small></p>")
    for name, why in watched.off.items():
        parts.append(f"<p>{say(phrase('watch_off', lang, id=name, why=why))}</p>")
    return "\n".join([*parts, "</html>\n"])


def _shown(id: str, lang: str) -> str:
    """The command that shows an entry, as a link to its page where a site is set."""
    page, command = page_of_id(id, lang), f"torchwhy show {html.escape(id)}"
    return f'<a href="{html.escape(page)}">{command}</a>' if page else command


def _step(finding: WatchFinding, lang: str) -> str:
    return phrase("watch_step", lang, step=str(finding.step))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def plot(name: str, points: Sequence[Sequence[float]]) -> str:
    """A curve of one figure over the steps, with its first, last, least and greatest value in words."""
    if len(points) < 2:
        return ""
    xs, ys = [float(point[0]) for point in points], [float(point[1]) for point in points]
    low, high = min(ys), max(ys)
    width, spread = max(xs[-1] - xs[0], 1e-12), (high - low) or 1.0
    path = " ".join(
        f"{(x - xs[0]) / width * PLOT_WIDTH:.1f},{PLOT_HEIGHT - (y - low) / spread * PLOT_HEIGHT:.1f}"
        for x, y in zip(xs, ys, strict=True)
    )
    said = f"{name}: {ys[0]:.4g} … {ys[-1]:.4g} (min {low:.4g}, max {high:.4g})"
    height = PLOT_HEIGHT + 4
    return (
        f'<figure><svg width="{PLOT_WIDTH}" height="{height}" viewBox="0 -2 {PLOT_WIDTH} {height}" '
        f'role="img" aria-label="{html.escape(said)}"><polyline fill="none" stroke="#36c" stroke-width="1.5" '
        f'points="{path}"/></svg><figcaption>{html.escape(said)}</figcaption></figure>'
    )
