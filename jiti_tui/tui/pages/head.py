"""The rows at the top: whose turn it is, where the session stands, and the tabs of a narrow screen."""

from __future__ import annotations

from collections.abc import Mapping

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.tui.pages.headline import headline
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.speaker import proposer_name
from jiti_tui.tui.pages.spent import attempts_made, money_spent, shown_spending, tokens_spent
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane
from jiti_tui.tui.text.line import Line, Run, fill, width_of
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

NOT_SANDBOXED = "NOT SANDBOXED"
_NEVER_DROPPED = 4


def head(scene: Scene, paper: Paper, stage: Page, pages: Mapping[str, Page]) -> list[Line]:
    """Return the rows above the stage; `stage` is the page shown there, `pages` are those of the panes."""
    rows = [headline(scene, paper)]
    if not scene.bare:
        rows.append(status(scene, paper))
    return rows if scene.wide else [*rows, tabs(scene, paper, stage, pages)]


def status(scene: Scene, paper: Paper) -> Line:
    """Return the row that says where the session stands; what does not fit drops from the right."""
    snapshot = scene.snapshot
    usage, budget = shown_spending(snapshot)
    parts = [
        Run(paper.clip(snapshot.world, paper.width), Role.STRONG),
        paper.run(f"rev {snapshot.revision}"),
        paper.run(f"gen {snapshot.generation}"),
        paper.run(snapshot.mode.value),
    ]
    known = snapshot.phase is not Phase.STARTING
    if known:
        parts.append(Run(paper.clip(proposer_name(snapshot, short=not scene.wide), paper.width), Role.TEXT))
    if usage.tokens:
        parts.append(paper.run(tokens_spent(usage, budget)))
    if usage.money or (snapshot.costs_money and budget.money is not None):
        parts.append(paper.run(money_spent(usage, budget)))
    if known and snapshot.sandboxed:
        parts.append(paper.run("sandboxed", Role.MUTED))
    if usage.attempts:
        parts.append(paper.run(attempts_made(usage, budget)))
    alarm = [] if snapshot.sandboxed else [paper.run(f" {NOT_SANDBOXED} ", Role.ALARM)]
    while len(parts) > _NEVER_DROPPED and width_of(alarm) + width_of(_spaced(parts, paper)) >= paper.width:
        parts.pop()
    return paper.line(*alarm, *_spaced(parts, paper))


def tabs(scene: Scene, paper: Paper, stage: Page, pages: Mapping[str, Page]) -> Line:
    """Return the row of panes; the one in front is marked."""
    labels = _labels(stage, pages)
    gap = _gap(labels, paper)
    runs: list[Run] = []
    for number, (pane, label) in enumerate(labels.items(), start=2):
        if pane is scene.view.front:
            runs += [paper.run(f" F{number} {label} ", Role.SELECTION), paper.run(gap[1:])]
        else:
            runs += [paper.run(f" F{number}", Role.KEY), paper.run(f" {label}{gap}")]
    return paper.line(*runs)


def tab_at(column: int, front: Pane, paper: Paper, stage: Page, pages: Mapping[str, Page]) -> Pane | None:
    """Return the pane whose tab stands in `column` of the row of panes, None where none does."""
    labels = _labels(stage, pages)
    end = 0
    for pane, label in labels.items():
        after = _gap(labels, paper) or (" " if pane is front else "")
        end += len(f" F2 {label}{after}")
        if column < end:
            return pane
    return None


def _labels(stage: Page, pages: Mapping[str, Page]) -> dict[Pane, str]:
    return {pane: pages[pane].title for pane in Pane} | {Pane.STAGE: stage.title}


def _gap(labels: Mapping[Pane, str], paper: Paper) -> str:
    """What stands between tabs, where there is room for it."""
    return "  " if sum(len(label) + len(" F2   ") for label in labels.values()) <= paper.width else ""


def pane_title(scene: Scene, paper: Paper, pane: Pane, page: Page) -> Line:
    """Return the title row of a pane on a wide screen; the one in front is marked."""
    key = f"F{list(Pane).index(pane) + 2}"
    right = f"{page.aside} {key}".strip()
    title = paper.clip(page.title, paper.width - len(right) - 4)
    gap = " " * max(1, paper.width - 2 - len(right) - width_of([Run(title, Role.STRONG)]))
    line = fill([paper.run(" "), Run(title, Role.STRONG), paper.run(gap + right, Role.MUTED)], paper.width)
    return paper.select(line) if pane is scene.view.front else line


def _spaced(parts: list[Run], paper: Paper) -> list[Run]:
    runs: list[Run] = []
    for index, part in enumerate(parts):
        runs += [paper.run("  " if index else " "), part]
    return runs
