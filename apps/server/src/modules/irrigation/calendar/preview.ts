import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { previewIrrigation } from '@isotherm/contract/endpoints/control/irrigation'
import type { IrrigationPlan, IrrigationPlannedRun } from '@isotherm/contract/irrigation'
import type { PlannedRun } from '@isotherm/irrigation/plan/model'
import { countDailyParts, MAX_PARTS, planInSteps } from '@isotherm/irrigation/plan/plan-runs'
import { toLocalDay } from '@isotherm/irrigation/run/decide'
import { DAY_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { createCallerGate } from '../../../platform/tasks/turns/caller-gate.ts'
import { runInSlices } from '../../../platform/tasks/turns/run-in-slices.ts'
import { type FieldReader, isEnabled, toProgramSpec, toZone } from '../field.ts'
import { requirePosition } from '../position.ts'
import { type ByHandNeeds, listOpenByHand } from '../run/by-hand.ts'
import { listActiveRuns, readUsedM3 } from '../storage/runs.pg.ts'
import type { StoredSource } from '../storage/sources.pg.ts'

const MAX_SPAN_MS = 367 * DAY_MS
/**
 * A calendar of a year takes seconds of the processor and a hundred megabytes. A form requests one for each of its changes, so some of
 * a caller may wait.
 */
const PREVIEWS = { running: 2, waiting: 20 } as const

/** Throws irrigation.no-span, irrigation.too-long. */
export function requireSpan(from: number, to: number): void {
  if (from >= to) throw new AppError('irrigation.no-span')
  if (to - from > MAX_SPAN_MS) throw new AppError('irrigation.too-long')
}

/** Throws irrigation.too-many-parts if a program opens valves more often than MAX_PARTS times a day. */
export function requireFewParts(plan: IrrigationPlan): void {
  const count = countDailyParts(plan)
  if (count > MAX_PARTS) throw new AppError('irrigation.too-many-parts', { count, max: MAX_PARTS })
}

export const toShownRun = (run: PlannedRun): IrrigationPlannedRun => ({
  ...run,
  conflicts: [...run.conflicts],
  steps: run.steps.map(({ groupId, valveIds, flowM3H, startMs, durationS }) => ({
    groupId,
    valveIds: [...valveIds],
    flowM3H,
    startMs,
    durationS,
  })),
})

/**
 * Plans the calendar of a source. Callers take turns, and the rest of the server goes on meanwhile. Throws request.too-many
 * for the calls of a caller who has too many waiting.
 */
export function createPreview(
  needs: ByHandNeeds & {
    readonly field: FieldReader
    readonly getStored: (caller: Caller, id: number | undefined) => Promise<StoredSource>
  },
) {
  const { db, clock, field, getStored } = needs
  const gate = createCallerGate(PREVIEWS)

  async function plan(
    caller: Caller,
    { sourceId, draft, from, to }: InputOf<typeof previewIrrigation>,
  ): Promise<OutputOf<typeof previewIrrigation>> {
    const source = await getStored(caller, sourceId)
    if (draft) requirePosition(source, draft.plan)
    const stored = source.programs.filter((program) => isEnabled(program) && program.id !== draft?.programId)
    const programs = stored.map(({ id, settings }) => toProgramSpec(id, settings.plan))
    // A program that is not stored yet gets an id that no program has.
    const drafts = draft ? [toProgramSpec(draft.programId ?? Number.MAX_SAFE_INTEGER, draft.plan)] : []
    const active = await listActiveRuns(db, [sourceId])
    const zone = toZone(source)
    const usedM3 = await readUsedM3(db, sourceId, zone, clock.now())
    const request = field.toRequest(
      source,
      active,
      usedM3,
      await field.readDemand(source),
      await listOpenByHand(needs, source, active),
    )
    const runs = await runInSlices(
      planInSteps({
        ...request,
        programs: [...programs, ...drafts],
        // Past starts are in the list of runs, and their water is counted already.
        from: Math.max(from, clock.now()),
        until: to,
      }),
    )
    const days = new Map<number, number>()
    for (const { startMs, flowM3H, durationS } of runs.flatMap(({ steps }) => steps)) {
      const day = toLocalDay(zone, startMs)
      days.set(day, (days.get(day) ?? 0) + (flowM3H * durationS) / 3600)
    }
    return {
      runs: runs.map(toShownRun),
      days: [...days].map(([day, volumeM3]) => ({ day, volumeM3 })),
    }
  }

  return async (caller: Caller, input: InputOf<typeof previewIrrigation>) => {
    requireSpan(input.from, input.to)
    if (input.draft) requireFewParts(input.draft.plan)
    return gate(() => plan(caller, input))
  }
}
