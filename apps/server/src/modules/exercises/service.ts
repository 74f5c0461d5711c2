import { MAX_TARGETS } from '@isotherm/contract/command'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type {
  addValveExercise,
  ExerciseLeftOut,
  getExerciseValves,
  getValveExercises,
  previewValveExercise,
  ValveExercise,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { BatchService, CommandsService } from '../commands/index.ts'
import type { DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { acceptTargets } from './choose-valves.ts'
import { areBusy, type ChosenValve, insertExercise, listExercises, listValves } from './exercises.pg.ts'
import { beginCancelling, listOpen } from './progress.pg.ts'
import type { Season } from './season.ts'

export interface ExercisesNeeds {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly devices: Pick<DevicesService, 'listDeviceIds'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly commands: Pick<CommandsService, 'preview'>
  readonly batches: Pick<BatchService, 'cancel'>
  /** Newest measured opening of a valve, %. */
  readonly findOpening: (deviceId: number) => number | undefined
  /** Those of `ids` that are irrigation valves: they are not exercised. */
  readonly listIrrigating: (ids: readonly number[]) => Promise<ReadonlySet<number>>
  readonly season: Season
  /** Notifies the runner. */
  readonly wake: () => void
}

export function createExercisesService(needs: ExercisesNeeds) {
  const { db, clock, devices, network, season } = needs

  /** Valves below nodes, and why some of them are left out. Throws exercise.too-many. */
  async function choose(caller: Caller, nodes: readonly string[]): Promise<readonly ChosenValve[]> {
    const paths = await network.resolveNodes(caller.scope, nodes)
    const limiter = { page: 1, size: MAX_TARGETS }
    const { ids, total } = await devices.listDeviceIds(caller.scope, paths, ['valve'], limiter)
    if (total > MAX_TARGETS) throw new AppError('exercise.too-many', { max: MAX_TARGETS })
    const irrigating = await needs.listIrrigating(ids)
    const targets = ids.filter((id) => !irrigating.has(id)).map((deviceId) => ({ deviceId, openingPct: 100 }))
    const { refused } = await acceptTargets(needs.commands, caller, targets)
    return ids.map((deviceId) => ({
      deviceId,
      beforePct: needs.findOpening(deviceId),
      leftOut: irrigating.has(deviceId) ? ('irrigation' as const) : refused.get(deviceId),
    }))
  }

  async function list(
    caller: Caller,
    query: Parameters<typeof listExercises>[2],
  ): Promise<{ datalist: ValveExercise[]; total: number }> {
    const { rows, total } = await listExercises(db, caller.scope, query)
    return {
      total,
      datalist: rows.map(({ stop, endedAt, isWhole, counts, ...row }) => ({
        ...row,
        ...(stop !== null && { stop }),
        ...(endedAt !== null && { endedAt }),
        counts,
        abilities: isWhole && row.state === 'running' ? ['cancel'] : [],
      })),
    }
  }

  async function get(caller: Caller, id: number): Promise<ValveExercise> {
    const { datalist } = await list(caller, { ids: [id], limiter: { page: 1, size: 1 } })
    const [found] = datalist
    if (!found) throw new AppError('exercise.not-found')
    return found
  }

  return {
    async preview(
      caller: Caller,
      { nodes }: InputOf<typeof previewValveExercise>,
    ): Promise<OutputOf<typeof previewValveExercise>> {
      const chosen = await choose(caller, nodes)
      const leftOut: Partial<Record<ExerciseLeftOut, number>> = {}
      for (const { leftOut: reason } of chosen) if (reason) leftOut[reason] = (leftOut[reason] ?? 0) + 1
      const { first, last } = season
      return {
        valves: chosen.filter((valve) => valve.leftOut === undefined).length,
        leftOut,
        season: { first, last, isNow: season.isAt(clock.now()) },
      }
    },

    /** Throws the errors of addValveExercise. */
    async add({ caller, operation }: Call, { nodes, reason }: InputOf<typeof addValveExercise>) {
      const { first, last } = season
      const createdAt = clock.now()
      if (season.isAt(createdAt)) throw new AppError('exercise.in-season', { first, last })
      const chosen = await choose(caller, nodes)
      const moved = chosen.filter(({ leftOut }) => leftOut === undefined)
      if (moved.length === 0) throw new AppError('exercise.no-valves')
      const id = await operate(db, operation, async (transaction) => {
        const isBusy = await areBusy(
          transaction,
          moved.map(({ deviceId }) => deviceId),
        )
        if (isBusy) throw new AppError('exercise.running')
        const { accountId, account } = caller
        return insertExercise(transaction, { accountId, account, reason, createdAt }, chosen)
      })
      needs.wake()
      return get(caller, id)
    },

    async list(caller: Caller, { nodes, limiter }: InputOf<typeof getValveExercises>) {
      const paths = nodes.length > 0 ? await network.resolveNodes(caller.scope, nodes) : undefined
      return list(caller, { paths, limiter })
    },

    listValves: (caller: Caller, query: InputOf<typeof getExerciseValves>) =>
      listValves(db, caller.scope, query),

    /** Throws exercise.not-found and exercise.not-now. */
    async cancel(call: Call, id: number) {
      await operate(db, call.operation, async (transaction) => {
        if (!(await beginCancelling(transaction, id))) throw new AppError('exercise.not-now')
      })
      const [open] = await listOpen(db, [id])
      // The valves are already being set back.
      if (open?.batchId && open.isBatchOpen && open.step !== 'restore') {
        await needs.batches.cancel(call, open.batchId).catch((error: unknown) => {
          // It has ended meanwhile.
          if (!(error instanceof AppError && error.code === 'command-batch.not-now')) throw error
        })
      }
      needs.wake()
      return get(call.caller, id)
    },
  }
}

export type ExercisesService = ReturnType<typeof createExercisesService>
