"""The view that a session would show next, made without one: nothing is locked, asked or changed."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.agenda import Agenda
from jiti_tui.engine.checklist import Checklist, met
from jiti_tui.engine.deciding.make_view import VALUE_CHARACTERS, base_of, checks_of, data_of, definitions_of
from jiti_tui.engine.queries.standalone import accepted_revision, opened
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.model.view import View
from jiti_tui.store.store import Store
from jiti_tui.world.folder import World


async def next_view(world: World) -> View:
    """The view of the accepted world, for the request that is to be worked on next; no outcomes are in it.

    Raises WorldFolderError, StoreError or WorkerError.
    """
    revision = accepted_revision(world)
    agenda, checklist = Agenda(world.requests), Checklist(world)
    if revision is not None:
        manifests = Store.open(world.store, read_only=True).history()
        agenda.resume_at(manifest.request for manifest in manifests if manifest.revision > 0)
    async with opened(world, revision) as (_, process):
        async with throwaway(process) as runner:
            await checklist.reload(runner)
            observed = await runner.observe(VALUE_CHARACTERS)
        begun = agenda.position
        decides = checklist.deciding(agenda.requests, agenda.number)
        checklist.verdicts = await checklist.run(process, decides)
        while agenda.upcoming is not None and met(checklist.verdicts, decides):
            agenda.advance()
            decides = checklist.deciding(agenda.requests, agenda.number)
        if agenda.position != begun:
            checklist.verdicts = await checklist.run(process, decides)
    manifest = revision.manifest if revision is not None else None
    view = View(
        world=world.title,
        packages=world.packages,
        generation=agenda.position - begun,
        revision=0,
        request=agenda.current.text if agenda.current is not None else "",
        goals=decides.goals,
        definitions=definitions_of(observed),
        base=base_of(observed),
        data=data_of(observed),
        checks=checks_of(checklist, decides),
    )
    if manifest is None:
        return view
    return replace(view, generation=manifest.generation + view.generation, revision=manifest.revision)
