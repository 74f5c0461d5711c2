import { DAY_MS } from '@isotherm/kernel/durations'
import { toAdjustPct } from './adjust.ts'
import { createSourceUse, type SourceUse, type Usage } from './capacity.ts'
import { listStarts } from './list-starts.ts'
import { countParts, listParts, listUnits, type Part, type Unit } from './list-units.ts'
import type {
  Conditions,
  Field,
  GroupSpec,
  PlanConflict,
  PlannedRun,
  PlannedStep,
  ProgramSpec,
} from './model.ts'

/** A part that would get less water than this many seconds is left out. */
export const MIN_STEP_S = 10
/** Parts of one run, and of a program's day. */
export const MAX_PARTS = 2_000
/**
 * Limit of work for a whole plan. When it is used up, the remaining runs get no water and a conflict says so. Without
 * a limit, cycles of seconds over hours would keep the server busy for minutes. The year of a source with 20 groups
 * takes 5 % of it.
 */
export const MAX_WORK = 10_000_000
/** Work that each part counts as, besides the search for its start: it becomes a step that is shown or stored. */
const PART_WORK = 50
/** Volumes are sums of decimal numbers. */
const EPSILON = 1e-6

/** Plan of the runs of a source. All of it is data: the same input gives the same plan. */
export interface PlanRequest extends Field {
  readonly programs: readonly ProgramSpec[]
  readonly conditions: Conditions
  /** The plan has the runs that are due in [from, until), Unix ms. */
  readonly from: number
  readonly until: number
  /** Steps of runs that are already under way. */
  readonly busy?: readonly Usage[] | undefined
  /** Maximum number of runs, the earliest first; absent: all. */
  readonly maxRuns?: number | undefined
  /** Water taken and promised per local day (days since 1970-01-01), m³. */
  readonly usedM3?: ReadonlyMap<number, number> | undefined
}

interface Due {
  readonly program: ProgramSpec
  readonly dueMs: number
}

/** State of a plan in progress. */
interface Draft {
  readonly request: PlanRequest
  readonly groups: ReadonlyMap<number, GroupSpec>
  readonly used: SourceUse
  readonly usedM3: Map<number, number>
  /** Work so far, beside that of the search for starts. */
  work: number
}

const isUsedUp = ({ used, work }: Draft): boolean => work + used.countWork() >= MAX_WORK

const toVolume = (flowM3H: number, durationS: number): number => (flowM3H * durationS) / 3600

/** The longest duration that the water of the day allows, s. */
function toAffordable(
  { request, usedM3 }: Draft,
  startMs: number,
  flowM3H: number,
  durationS: number,
): number {
  const { source, clock } = request
  if (source.dailyBudgetM3 === undefined || flowM3H <= 0) return durationS
  const day = Math.floor(clock.toLocal(startMs) / DAY_MS)
  const leftM3 = source.dailyBudgetM3 - (usedM3.get(day) ?? 0)
  return Math.max(0, Math.min(durationS, Math.floor((leftM3 * 3600) / flowM3H + EPSILON)))
}

/** Times of a run's parts: each after the one before, or together as far as the capacity allows. */
function placeParts(
  draft: Draft,
  { program, dueMs }: Due,
  parts: Iterable<Part>,
): { steps: PlannedStep[]; conflicts: PlanConflict[]; delayS: number } {
  const { source, clock } = draft.request
  let [count, isCut] = [0, false]
  const steps: PlannedStep[] = []
  const missing = new Map<number, number>()
  const endOf = new Map<Unit, number>()
  let [previous, endMs, delayS]: [Unit | undefined, number, number] = [
    undefined,
    dueMs + source.leadS * 1000,
    0,
  ]
  for (const { unit, durationS, soakS } of parts) {
    isCut = count === MAX_PARTS || isUsedUp(draft)
    if (isCut) break
    count++
    draft.work += PART_WORK
    const { groupId, valves, flowM3H } = unit
    const groupDelayS = previous && previous.groupId !== groupId && !program.together ? source.groupDelayS : 0
    const soakedMs = soakS === undefined ? 0 : (endOf.get(unit) ?? 0) + soakS * 1000
    const readyMs = Math.max(endMs + groupDelayS * 1000, soakedMs)
    const valveIds = valves.map(({ id }) => id)
    const startMs = draft.used.findStart({ valveIds, flowM3H, durationS }, readyMs)
    const affordableS = toAffordable(draft, startMs, flowM3H, durationS)
    if (affordableS < durationS) {
      missing.set(groupId, (missing.get(groupId) ?? 0) + toVolume(flowM3H, durationS - affordableS))
    }
    if (affordableS < Math.min(durationS, MIN_STEP_S)) continue
    const end = startMs + affordableS * 1000
    const day = Math.floor(clock.toLocal(startMs) / DAY_MS)
    if (!program.together) delayS = Math.max(delayS, (startMs - readyMs) / 1000)
    else if (steps.length === 0) delayS = (startMs - readyMs) / 1000
    steps.push({
      groupId,
      valveIds,
      flowM3H,
      startMs,
      durationS: affordableS,
      delayS: groupDelayS,
      soakS: soakS ?? 0,
    })
    draft.used.add({ valveIds, flowM3H, startMs, endMs: end })
    draft.usedM3.set(day, (draft.usedM3.get(day) ?? 0) + toVolume(flowM3H, affordableS))
    endOf.set(unit, end)
    previous = unit
    if (!program.together) endMs = end
  }
  const conflicts: PlanConflict[] = [
    ...[...missing].map(([groupId, missingM3]) => ({ kind: 'budget' as const, groupId, missingM3 })),
    ...(isCut ? [{ kind: 'parts' as const }] : []),
  ]
  return { steps, conflicts, delayS }
}

const toEmptyRun = ({ program, dueMs }: Due, conflict: PlanConflict): PlannedRun => ({
  programId: program.id,
  dueMs,
  startMs: dueMs,
  endMs: dueMs,
  adjustPct: 0,
  steps: [],
  conflicts: [conflict],
  volumeM3: 0,
})

function planRun(draft: Draft, due: Due): PlannedRun {
  const { program, dueMs } = due
  const { conditions, source } = draft.request
  const { pausedUntil, demand, moisturePct, isLeaking, isHalted } = conditions
  if (isHalted) return toEmptyRun(due, { kind: 'halted' })
  if (isLeaking) return toEmptyRun(due, { kind: 'leak' })
  if (pausedUntil !== undefined && dueMs < pausedUntil) return toEmptyRun(due, { kind: 'paused' })
  const adjustPct = toAdjustPct(program, demand)
  if (adjustPct === 0) return toEmptyRun(due, { kind: 'rain' })
  if (isUsedUp(draft)) return toEmptyRun(due, { kind: 'parts' })
  const { units, conflicts } = listUnits(
    program,
    draft.groups,
    source.capacityM3H,
    adjustPct / 100,
    ({ id, wetPct }) => wetPct !== undefined && (moisturePct.get(id) ?? 0) >= wetPct,
  )
  draft.work += units.reduce((sum, { valves }) => sum + valves.length, program.entries.length)
  const placed = placeParts(draft, due, listParts(units, program.cycle?.soakS ?? 0))
  const { steps, delayS } = placed
  return {
    programId: program.id,
    dueMs,
    startMs: Math.min(...steps.map(({ startMs }) => startMs), steps.length === 0 ? dueMs : Infinity),
    endMs: Math.max(dueMs, ...steps.map(({ startMs, durationS }) => startMs + durationS * 1000)),
    adjustPct,
    steps,
    conflicts: [
      ...conflicts,
      ...placed.conflicts,
      ...(delayS > 0 ? [{ kind: 'queued' as const, delayS: Math.round(delayS) }] : []),
    ],
    volumeM3: steps.reduce((sum, { flowM3H, durationS }) => sum + toVolume(flowM3H, durationS), 0),
  }
}

const startDraft = (request: PlanRequest): Draft => ({
  request,
  groups: new Map(request.groups.map((group) => [group.id, group])),
  used: createSourceUse(request.source.capacityM3H, request.busy),
  usedM3: new Map(request.usedM3),
  work: 0,
})

/** Plans one run of a program at an instant (Unix ms), whatever its days are: a single timed run. */
export const planSingleRun = (
  request: Omit<PlanRequest, 'programs' | 'from' | 'until'>,
  program: ProgramSpec,
  dueMs: number,
): PlannedRun =>
  planRun(startDraft({ ...request, programs: [], from: dueMs, until: dueMs }), { program, dueMs })

/**
 * Plans as `planRuns` does, step by step, and returns its runs. It yields after each program whose starts are listed and after each run:
 * the plan of a year takes seconds, in which others may want their turn.
 */
export function* planInSteps(request: PlanRequest): Generator<undefined, readonly PlannedRun[]> {
  const draft = startDraft(request)
  const due: Due[] = []
  for (const program of request.programs) {
    for (const dueMs of listStarts(program, request, request.from, request.until))
      due.push({ program, dueMs })
    yield
  }
  const planned: PlannedRun[] = []
  for (const one of due.toSorted((left, right) => left.dueMs - right.dueMs).slice(0, request.maxRuns)) {
    draft.used.dropBefore(one.dueMs)
    planned.push(planRun(draft, one))
    yield
  }
  return planned
}

/**
 * Plans all runs that are due in a span of time: the calendar preview, and what is run. Runs that find no room wait for those
 * before them; runs of one instant are in the order of the programs.
 */
export function planRuns(request: PlanRequest): readonly PlannedRun[] {
  const steps = planInSteps(request)
  let next = steps.next()
  while (!next.done) next = steps.next()
  return next.value
}

/** The most parts that a program can have on one day, before adjustments and the longest times of its valves. */
export const countDailyParts = ({
  starts,
  entries,
  cycle,
}: Pick<ProgramSpec, 'starts' | 'entries' | 'cycle'>) =>
  starts.length * entries.reduce((sum, { runS }) => sum + countParts(runS, cycle?.maxS ?? runS), 0)
