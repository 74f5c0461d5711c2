import type { IrrigationConflict } from '@isotherm/contract/irrigation'
import { planRuns } from '@isotherm/irrigation/plan/plan-runs'
import { type ActiveStep, decide, listOutdated, toLocalDay } from '@isotherm/irrigation/run/decide'
import { isRunOver, mayFlow, runTransitions } from '@isotherm/irrigation/run/run-machine'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { CommandsService } from '../../commands/index.ts'
import type { SessionService } from '../../session/index.ts'
import {
  type FieldNeeds,
  type FieldReader,
  type FindReading,
  isEnabled,
  toActiveRuns,
  toProgramSpec,
  toZone,
} from '../field.ts'
import {
  advancePlanned,
  changeStep,
  insertRun,
  listActiveRuns,
  moveRun,
  readUsedM3,
  type StoredRun,
} from '../storage/runs.pg.ts'
import { claimSource, listSources, markSeen, type StoredSource } from '../storage/sources.pg.ts'
import { listOpenByHand } from './by-hand.ts'
import { meterSteps } from './meter.ts'
import { closeStep, openStep, watchStep } from './perform.ts'
import { protectSource } from './protect.ts'
import { steerMaster, toMaster } from './steer-master.ts'

export interface RunnerNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly commands: Pick<CommandsService, 'send' | 'preview' | 'list' | 'listAsleep'>
  readonly findAccess: SessionService['findAccountAccess']
  readonly findMetric: FieldNeeds['findMetric']
  readonly findReading: FindReading
  readonly field: FieldReader
  /** Reporting period of a device, s. */
  readonly findPeriodS: (deviceId: number) => number | undefined
}

/** No other replica works on a source meanwhile. */
const LEASE_MS = 20_000
/** Starts of programs that are overdue by more than this are skipped. */
const MAX_LATE_MS = 60 * MINUTE_MS
/** A run that no server has watched for this time counts as interrupted. */
const OUTAGE_MS = 2 * MINUTE_MS

/** Longest time of some valves, s. */
export const toMaxS =
  ({ groups }: StoredSource) =>
  (valveIds: readonly number[]): number =>
    Math.min(
      64_800,
      ...groups.flatMap(({ settings }) =>
        settings.valves.filter(({ deviceId }) => valveIds.includes(deviceId)).map(({ maxS }) => maxS),
      ),
    )

/** Plans and stores the runs that have become due. While the weather is read for the first time on a day, a later tick does it. */
async function planDue(needs: RunnerNeeds, source: StoredSource): Promise<void> {
  const { db, clock, field } = needs
  const now = clock.now()
  const { plannedMs } = source
  if (now <= plannedMs) return
  const known = field.findDemand(source)
  if (!known) return
  const programs = source.programs.filter(isEnabled)
  const active = await listActiveRuns(db, [source.id])
  const usedM3 = await readUsedM3(db, source.id, toZone(source), now)
  const planned = planRuns({
    ...field.toRequest(source, active, usedM3, known.demand),
    programs: programs.map(({ id, settings }) => toProgramSpec(id, settings.plan)),
    from: plannedMs,
    until: now,
  })
  await db.transaction().execute(async (transaction) => {
    if (!(await advancePlanned(transaction, source.id, plannedMs, now))) return
    for (const run of planned) {
      const program = programs.find(({ id }) => id === run.programId)
      if (!program) continue
      // A run that would have watered nothing has missed nothing.
      const isLate = run.steps.length > 0 && now - run.dueMs > MAX_LATE_MS
      const late: readonly IrrigationConflict[] = isLate ? [{ kind: 'late' }] : []
      await insertRun(transaction, {
        sourceId: source.id,
        programId: program.id,
        name: program.settings.name,
        together: program.settings.plan.together,
        accountId: program.accountId,
        account: program.account,
        now,
        planned: isLate ? { ...run, steps: [], volumeM3: 0 } : run,
        conflicts: [...run.conflicts, ...late],
        toMaxS: toMaxS(source),
      })
    }
  })
}

/** Applies the rule of the source after an outage. */
async function endOutdated(
  needs: RunnerNeeds,
  source: StoredSource,
  runs: readonly StoredRun[],
): Promise<void> {
  const { db, clock } = needs
  const now = clock.now()
  if (source.seenMs === 0 || now - source.seenMs < OUTAGE_MS) return
  // A source without programs is not watched, so a run that starts there now was not interrupted.
  for (const run of toActiveRuns(runs.filter(({ dueMs }) => now - dueMs >= OUTAGE_MS))) {
    if (isRunOver(run.state)) continue
    for (const step of listOutdated(run, source.settings.afterOutage, now))
      await changeStep(db, step, { state: 'skipped', closed_ms: now, finding: 'outage' })
  }
}

async function getSource(db: Database, id: number): Promise<StoredSource | undefined> {
  const [source] = await listSources(db, scopeOfEverything, { ids: [id] })
  return source
}

async function decideAndAct(needs: RunnerNeeds, known: StoredSource, worker: string): Promise<number> {
  const { db, clock } = needs
  const runs = await listActiveRuns(db, [known.id])
  const reload = async () => (await getSource(db, known.id)) ?? known
  const source = await steerMaster(needs, { source: await reload(), worker }, runs, reload)
  const now = clock.now()
  const zone = toZone(source)
  const active = toActiveRuns(runs)
  const today = toLocalDay(zone, now)
  const isOfBefore = ({ state, openedMs = now }: ActiveStep) =>
    mayFlow(state) && toLocalDay(zone, openedMs) < today
  const before = active.flatMap(({ steps }) => steps).find(isOfBefore)?.openedMs
  const actions = decide({
    source: source.settings,
    clock: zone,
    runs: active,
    now,
    usedTodayM3: await readUsedM3(db, source.id, zone, now),
    usedBeforeM3: before === undefined ? undefined : await readUsedM3(db, source.id, zone, before),
    openByHand: await listOpenByHand(needs, source, runs),
    master: source.settings.masterId === undefined ? undefined : toMaster(source),
    isHalted: source.haltedMs !== null,
  })
  for (const action of actions) {
    if (action.kind === 'end') {
      const next = runTransitions[action.run.state].ended
      if (next) await moveRun(db, action.run, next, now)
      continue
    }
    const run = runs.find(({ steps }) => steps.some(({ id }) => id === action.step.id))
    const step = run?.steps.find(({ id }) => id === action.step.id)
    if (!run || !step) continue
    if (action.kind === 'open') await openStep(needs, { source, run, step }, action.durationS, worker)
    if (action.kind === 'close') await closeStep(needs, { source, run, step })
    if (action.kind === 'skip')
      await changeStep(db, step, { state: 'skipped', closed_ms: now, finding: action.why })
  }
  return actions.length
}

/** Watches the steps whose valves may be open. A run with a stuck valve fails: nothing else of it opens. */
async function watch(needs: RunnerNeeds, source: StoredSource, runs: readonly StoredRun[]): Promise<void> {
  const { db, clock } = needs
  await meterSteps(needs, source, runs)
  for (const run of await listActiveRuns(db, [source.id])) {
    for (const step of run.steps.filter(({ state }) => mayFlow(state))) {
      await watchStep(needs, { source, run, step })
    }
    const next = runTransitions[run.state].stuck
    if (next && run.steps.some(({ state }) => state === 'stuck')) await moveRun(db, run, next, clock.now())
  }
}

/** Maximum number of passes of one tick: an action can make another one possible. */
const MAX_ROUNDS = 4

/** Does what is due at a source now. Another replica that works on it is left alone. */
export async function tickSource(needs: RunnerNeeds, id: number, worker: string): Promise<void> {
  const { db, clock } = needs
  const now = clock.now()
  if (!(await claimSource(db, { id, worker, now, untilMs: now + LEASE_MS }))) return
  const source = await getSource(db, id)
  if (!source) return
  await planDue(needs, source)
  const runs = await listActiveRuns(db, [id])
  await endOutdated(needs, source, runs)
  await watch(needs, source, runs)
  await protectSource(needs, source, await listActiveRuns(db, [id]))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if ((await decideAndAct(needs, source, worker)) === 0) break
  }
  await markSeen(db, id, clock.now())
}
