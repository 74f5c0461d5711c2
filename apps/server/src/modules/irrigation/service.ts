import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type {
  changeIrrigationRun,
  getIrrigation,
  getIrrigationRuns,
  getIrrigationUses,
  getIrrigationWater,
  pauseIrrigation,
  releaseIrrigation,
  runIrrigationProgram,
  startIrrigationRun,
} from '@isotherm/contract/endpoints/control/irrigation'
import type {
  IrrigationConflict,
  IrrigationSource,
  IrrigationUse,
  IrrigationWaterDay,
} from '@isotherm/contract/irrigation'
import type { ProgramSpec } from '@isotherm/irrigation/plan/model'
import { planRuns, planSingleRun } from '@isotherm/irrigation/plan/plan-runs'
import { isPauseOver } from '@isotherm/irrigation/run/decide'
import { runTransitions } from '@isotherm/irrigation/run/run-machine'
import { DAY_MS } from '@isotherm/kernel/durations'
import type { Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import type { Tables } from '../../platform/tables.ts'
import type { CommandsService } from '../commands/index.ts'
import type { NetworkService } from '../network/index.ts'
import { createPreview, requireSpan, toShownRun } from './calendar/preview.ts'
import {
  type FieldNeeds,
  type FieldReader,
  type FindReading,
  findMoisture,
  isEnabled,
  listSilentProbes,
  toProgramSpec,
  toZone,
} from './field.ts'
import { listNamed, listOwnDevices, listOwnValves, mayControlValves } from './policy.ts'
import { listOpenByHand } from './run/by-hand.ts'
import { toMaxS } from './run/tick.ts'
import { listUses } from './sensors/attached.pg.ts'
import { listSensorCandidates } from './sensors/sensor-candidates.ts'
import type { HasReported } from './sensors/sensor-parts.ts'
import { toRun, toSource } from './show.ts'
import { listFieldWater } from './storage/field-water.pg.ts'
import { listMissed } from './storage/missed.pg.ts'
import { releaseSource } from './storage/protection.pg.ts'
import { insertRun, listActiveRuns, listRuns, moveRun, readUsedM3, stopRuns } from './storage/runs.pg.ts'
import {
  findSourceId,
  listCandidates,
  listNamedDevices,
  listSources,
  lockSource,
  type StoredSource,
  writeSettings,
} from './storage/sources.pg.ts'

export interface IrrigationServiceNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly commands: Pick<CommandsService, 'send' | 'preview'>
  readonly findMetric: FieldNeeds['findMetric']
  readonly findReading: FindReading
  readonly hasReported: HasReported
  readonly field: FieldReader
  /** Wakes the runner. */
  readonly wake: () => void
}

/** Coming runs that are shown beside a source. */
const NEXT_MS = 2 * DAY_MS
const MAX_NEXT = 12
/** What a run beside the plan of its source needs of no program. */
const ONCE = { id: 0, days: { kind: 'odd' }, starts: [] } as const

/** Irrigation for users: reads sources and runs, and starts and stops runs. */
export function createIrrigationService(needs: IrrigationServiceNeeds) {
  const { db, clock, network, field, findMetric } = needs

  /** Throws irrigation.not-found. */
  async function getStored(caller: Caller, id: number | undefined): Promise<StoredSource> {
    const [source] = id === undefined ? [] : await listSources(db, caller.scope, { ids: [id] })
    if (!source) throw new AppError('irrigation.not-found')
    return source
  }

  async function show(caller: Caller, sources: readonly StoredSource[]): Promise<IrrigationSource[]> {
    const now = clock.now()
    const active = await listActiveRuns(
      db,
      sources.map(({ id }) => id),
    )
    const names = await listNamedDevices(db, sources.flatMap(listNamed))
    const demands = await Promise.all(sources.map(field.readDemand))
    const shown: IrrigationSource[] = []
    for (const [index, source] of sources.entries()) {
      const demand = demands[index]
      const runs = active.filter(({ sourceId }) => sourceId === source.id)
      const usedTodayM3 = await readUsedM3(db, source.id, toZone(source), now)
      const openByHand = await listOpenByHand(needs, source, runs)
      const next = planRuns({
        ...field.toRequest(source, runs, usedTodayM3, demand, openByHand),
        programs: source.programs
          .filter(isEnabled)
          .map(({ id, settings }) => toProgramSpec(id, settings.plan)),
        from: now,
        until: now + NEXT_MS,
        maxRuns: MAX_NEXT,
      })
      shown.push(
        toSource(caller, source, {
          runs,
          names,
          candidates: await listCandidates(
            db,
            source.path,
            'valve',
            mayControlValves(caller) ? undefined : listOwnDevices(source),
          ),
          stations: await listCandidates(
            db,
            source.path,
            'station',
            mayControlValves(caller) ? undefined : listOwnDevices(source),
          ),
          sensors: await listSensorCandidates(db, needs.hasReported, source.path),
          findMetric,
          findReading: needs.findReading,
          now,
          usedTodayM3,
          openByHand,
          missed: await listMissed(db, source.id, now),
          next: next.map(toShownRun),
          demand,
          findMoisture: (group) => findMoisture(needs, group),
          listSilentProbes: (group) => listSilentProbes(needs, group),
        }),
      )
    }
    return shown
  }

  async function get(caller: Caller, id: number | undefined): Promise<IrrigationSource> {
    const [source] = await show(caller, [await getStored(caller, id)])
    if (!source) throw new AppError('irrigation.not-found')
    return source
  }

  /** Plans and stores a run of a program at this moment. Throws irrigation.running while one of this name is not over. */
  async function runOnce(
    { caller, operation }: Call,
    source: StoredSource,
    name: string,
    program: ProgramSpec,
  ): Promise<IrrigationSource> {
    if (source.haltedMs !== null) throw new AppError('irrigation.halted')
    const now = clock.now()
    const active = await listActiveRuns(db, [source.id])
    const usedM3 = await readUsedM3(db, source.id, toZone(source), now)
    // A person who waters by hand has seen the field, so neither weather nor moisture changes or stops the run.
    const request = field.toRequest(source, active, usedM3, undefined)
    const planned = planSingleRun({ ...request, conditions: { moisturePct: new Map() } }, program, now)
    if (planned.steps.length === 0) throw new AppError('irrigation.nothing-to-run')
    await operate(db, operation, async (transaction) => {
      // Of two calls at the same time the second waits here, and finds the run of the first.
      await lockSource(transaction, source.id)
      const known = new Set(active.map(({ id }) => id))
      const isStarted = (await listActiveRuns(transaction, [source.id])).some(
        (run) => !known.has(run.id) || (run.programId === null && run.name === name),
      )
      if (isStarted) throw new AppError('irrigation.running')
      return insertRun(transaction, {
        sourceId: source.id,
        programId: null,
        name,
        together: program.together,
        accountId: caller.accountId,
        account: caller.account,
        now,
        planned,
        conflicts: planned.conflicts satisfies readonly IrrigationConflict[],
        toMaxS: toMaxS(source),
      })
    })
    needs.wake()
    return get(caller, source.id)
  }

  const preview = createPreview({ ...needs, getStored })

  const toPaths = async (caller: Caller, nodes: readonly string[] | undefined) =>
    nodes?.length ? await network.resolveNodes(caller.scope, nodes) : undefined

  return {
    get,
    async list(caller: Caller, { nodes }: InputOf<typeof getIrrigation>): Promise<IrrigationSource[]> {
      return show(caller, await listSources(db, caller.scope, { paths: await toPaths(caller, nodes) }))
    },

    /** What a device does for irrigation at the granted nodes. */
    listUses: (caller: Caller, { deviceId }: InputOf<typeof getIrrigationUses>): Promise<IrrigationUse[]> =>
      listUses(db, caller.scope, deviceId),

    async listRuns(
      caller: Caller,
      { nodes, ...query }: InputOf<typeof getIrrigationRuns>,
    ): Promise<OutputOf<typeof getIrrigationRuns>> {
      const paths = await toPaths(caller, nodes)
      const { rows, ...rest } = await listRuns(db, caller.scope, { ...query, paths })
      return { ...rest, datalist: rows.map((run) => toRun(run)) }
    },

    async listWater(
      caller: Caller,
      { nodes, from, to }: InputOf<typeof getIrrigationWater>,
    ): Promise<IrrigationWaterDay[]> {
      requireSpan(from, to)
      return listFieldWater(db, caller.scope, { paths: await toPaths(caller, nodes), from, to })
    },

    preview,

    /** Waters a group once, beside the programs. */
    async start(
      call: Call,
      { groupId, runS }: InputOf<typeof startIrrigationRun>,
    ): Promise<IrrigationSource> {
      const source = await getStored(call.caller, await findSourceId(db, 'irrigation_group', groupId))
      const name = source.groups.find(({ id }) => id === groupId)?.settings.name ?? ''
      const entries = [{ groupId, runS }]
      return runOnce(call, source, name, { ...ONCE, entries, seasonalPct: 100, together: false })
    },

    /** Waters the groups of a program once, beside the programs. */
    async startProgram(
      call: Call,
      { programId }: InputOf<typeof runIrrigationProgram>,
    ): Promise<IrrigationSource> {
      const source = await getStored(call.caller, await findSourceId(db, 'irrigation_program', programId))
      const program = source.programs.find(({ id }) => id === programId)
      if (!program) throw new AppError('irrigation.not-found')
      const { name, plan } = program.settings
      const { designEtMm: _, ...spec } = toProgramSpec(programId, plan)
      return runOnce(call, source, name, { ...spec, ...ONCE })
    },

    async change(
      { caller, operation }: Call,
      { runId, event }: InputOf<typeof changeIrrigationRun>,
    ): Promise<IrrigationSource> {
      const source = await getStored(caller, await findSourceId(db, 'irrigation_run', runId))
      const run = (await listActiveRuns(db, [source.id])).find(({ id }) => id === runId)
      const next = run && runTransitions[run.state][event]
      if (!run || !next) throw new AppError('irrigation.not-now')
      // The runner ends it at its next tick.
      if (event === 'resume' && isPauseOver(run, clock.now())) throw new AppError('irrigation.not-now')
      if (event === 'resume' && source.haltedMs !== null) throw new AppError('irrigation.halted')
      await operate(db, operation, async (transaction) => {
        // The runner may have moved it meanwhile.
        if (!(await moveRun(transaction, run, next, null))) throw new AppError('irrigation.not-now')
      })
      needs.wake()
      return get(caller, source.id)
    },

    /** Stops all runs and closes every valve of the source, also those that were opened by hand. */
    async stop({ caller, operation }: Call, sourceId: number): Promise<IrrigationSource> {
      const source = await getStored(caller, sourceId)
      // Closing is allowed at every valve of the source, even if the valve was moved out of the caller's scope.
      const closer = { ...caller, scope: scopeOfEverything }
      const valveIds = new Set(listOwnValves(source))
      const targets = [...valveIds].map((deviceId) => ({ deviceId, openingPct: 0 }))
      const priority = 'emergency'
      const { refused } =
        targets.length > 0 ? await needs.commands.preview(closer, { targets, priority }) : { refused: [] }
      const accepted = targets.filter(({ deviceId }) => !refused.some((one) => one.deviceId === deviceId))
      const stopAll = (transaction: Transaction<Tables>) => stopRuns(transaction, sourceId)
      if (accepted.length === 0) await operate(db, operation, stopAll)
      else {
        const order = { targets: accepted, priority, reason: source.settings.name } as const
        await needs.commands.send({ caller: closer, operation }, order, stopAll)
      }
      needs.wake()
      return get(caller, sourceId)
    },

    /** Ends a leak or a halt after a check on site. */
    async release(
      { caller, operation }: Call,
      { sourceId, what }: InputOf<typeof releaseIrrigation>,
    ): Promise<IrrigationSource> {
      const source = await getStored(caller, sourceId)
      await operate(db, operation, async (transaction) => {
        if (!(await releaseSource(transaction, source.id, what))) throw new AppError('irrigation.not-now')
      })
      needs.wake()
      return get(caller, sourceId)
    },

    async pause(
      { caller, operation }: Call,
      { sourceId, until, reason }: InputOf<typeof pauseIrrigation>,
    ): Promise<IrrigationSource> {
      if (until !== undefined && until <= clock.now()) throw new AppError('irrigation.past')
      const source = await getStored(caller, sourceId)
      await operate(db, operation, (transaction) =>
        writeSettings(transaction, {
          table: 'irrigation_source',
          id: source.id,
          values: { paused_until_ms: until ?? null, pause_reason: until === undefined ? '' : reason },
        }),
      )
      return get(caller, sourceId)
    },
  }
}

export type IrrigationService = ReturnType<typeof createIrrigationService>
