"""Events and outcomes in plain sentences, for `run` without --json."""

from __future__ import annotations

from collections.abc import Iterator

from jiti_tui.cli.plain import one_line, plain
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.snapshot import Snapshot


def sentence(event: Event) -> str:
    """One line about an event, "" for those that another line tells already, errors and the end among them."""
    fields = event.fields
    match event.name:
        case "session":
            where = "sandboxed" if fields["sandboxed"] else "NOT SANDBOXED"
            state = f"revision {event.revision}" if fields["recovered"] else "new store"
            return f"SBCL {fields['sbcl']}, {where}, {state}, generation {event.generation}"
        case "recovery":
            return one_line(" ".join(fields["done"]), 400)
        case "lost":
            return f"lost in the crash: {one_line(str(fields['what']))}"
        case "request":
            return f"request {fields['number']}: {one_line(fields['text'])}"
        case "proposal":
            action = fields["action"]
            if action.get("kind") == "?":
                return ""
            said = str(action.get("rationale") or action.get("forms") or action.get("expression") or "")
            return f"  {one_line(str(action.get('kind')))}: {one_line(said, 90)}"
        case "stale" | "invalid" | "restored":
            return f"  {event.name}: {one_line(fields['reason'])}"
        case "paused":
            restarts = ", ".join(f"{restart['id']} {restart['name']}" for restart in fields["restarts"])
            condition = f"{fields['type']}: {one_line(fields['condition'])}"
            return f"  paused at level {fields['level']}: {condition} [{one_line(restarts)}]"
        case "repaired" | "abandoned":
            return f"  {event.name}"
        case "resumed":
            return f"  resumed by {one_line(' '.join([fields['restart'], *fields['arguments']]))}"
        case "inspected" | "value":
            return f"  {event.name}: {one_line(fields['value'])}"
        case "checked":
            checks = [*fields["invariants"], *fields["goals"]]
            failed = [check["name"] for check in checks if not check["ok"]]
            return f"  checked: {len(checks) - len(failed)} of {len(checks)} pass" + (
                f"; not: {one_line(', '.join(failed))}" if failed else ""
            )
        case "accepted":
            return f"  accepted: revision {fields['revision']}, generation {event.generation}"
        case "goals-met":
            return f"request {fields['request']} is met"
        case "reloaded":
            return f"reloaded {one_line(fields['file'])}" + (
                f": {one_line(fields['error'])}" if fields["error"] else ""
            )
    return ""


def outcome_lines(snapshot: Snapshot) -> Iterator[str]:
    """What an outcome would change, for somebody who is about to accept it."""
    outcome = snapshot.outcome
    if outcome is None:
        return
    yield f"Ready: candidate for revision {outcome.revision}, value {one_line(outcome.value)}"
    for row in snapshot.checks:
        if row.candidate_ok is not None and row.candidate_ok != row.ok:
            flip = "gained" if row.candidate_ok else "lost"
            yield f"  {flip}: {one_line(row.name)} ({one_line(row.candidate_detail)})"
    for change in (*outcome.definitions, *outcome.data):
        yield f"  {change.sign} {one_line(change.kind)} {one_line(change.name)}"
        yield from (f"      {line}" for line in plain(change.after).splitlines())
    for warning in outcome.warnings:
        yield f"  warning: {one_line(warning)}"
