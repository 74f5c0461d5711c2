import type { CommandBatch } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getCtlBatches } from '@isotherm/contract/endpoints/control/command-batches'
import type { Limiter } from '@isotherm/contract/filter'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import type { Operation } from '../../../platform/operation/operation.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Devices } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { batchTransitions } from '../model/batch-machine.ts'
import type { Aim } from '../model/records.ts'
import type { SeenBatch } from './batches.pg.ts'
import type { PumpService } from './pump-service.ts'
import type { CommandsService } from './service.ts'

export interface BatchQuery {
  readonly ids?: readonly string[] | undefined
  /** Subtrees below one of which a command of it is. */
  readonly paths?: readonly string[] | undefined
  readonly limiter: Limiter
}

/** What was asked of a device in vain. */
export interface FailedAim extends Aim {
  readonly deviceId: number
}

/** Where batches are kept. Changes throw command-batch.not-now. */
export interface BatchStore {
  list(
    scope: Scope,
    query: BatchQuery,
  ): Promise<{ readonly rows: readonly SeenBatch[]; readonly total: number }>
  pause(id: string, at: number, operation: Operation): Promise<void>
  resume(id: string, at: number, operation: Operation): Promise<void>
  cancel(
    id: string,
    facts: { readonly at: number; readonly detail: string },
    operation: Operation,
  ): Promise<void>
  listFailed(id: string): Promise<readonly FailedAim[]>
}

/** Batches as a caller sees them. */
export interface BatchReader {
  /** Throws command-batch.not-found. */
  get(caller: Caller, id: string): Promise<CommandBatch>
  list(
    caller: Caller,
    query: InputOf<typeof getCtlBatches>,
  ): Promise<{ datalist: CommandBatch[]; total: number }>
}

/** What is done with whole batches; each throws command-batch.not-found or command-batch.not-now. */
export interface BatchService extends BatchReader {
  pause(call: Call, id: string): Promise<CommandBatch>
  resume(call: Call, id: string): Promise<CommandBatch>
  cancel(call: Call, id: string): Promise<CommandBatch>
  /** The new batch; throws what giving it throws. */
  retry(call: Call, id: string): Promise<CommandBatch>
}

const hasFailed = ({ counts }: SeenBatch): boolean =>
  (counts.failed ?? 0) + (counts.expired ?? 0) + (counts.unknown ?? 0) > 0

function toAbilities(caller: Caller, batch: SeenBatch): CommandBatch['abilities'] {
  // Who does not see all of it would act on devices that are not granted.
  if (!batch.isWhole || !caller.permissions.has('pe-fmcontrol')) return []
  const moves = (['pause', 'resume', 'cancel'] as const).filter(
    (event) => batchTransitions[batch.state][event],
  )
  return hasFailed(batch) ? [...moves, 'retry'] : moves
}

const toSeen = (caller: Caller, batch: SeenBatch): CommandBatch => {
  const { isWhole: _, retryOf, ...shown } = batch
  return { ...shown, ...(retryOf === null ? {} : { retryOf }), abilities: toAbilities(caller, batch) }
}

export const createBatchReader = (
  store: Pick<BatchStore, 'list'>,
  network: Pick<NetworkService, 'resolveNodes'>,
): BatchReader => ({
  async get(caller, id) {
    const { rows } = await store.list(caller.scope, { ids: [id], limiter: { page: 1, size: 1 } })
    const [batch] = rows
    if (!batch) throw new AppError('command-batch.not-found')
    return toSeen(caller, batch)
  },
  async list(caller, { nodes, batchIds, limiter }) {
    const paths = nodes?.length ? await network.resolveNodes(caller.scope, nodes) : undefined
    const { rows, total } = await store.list(caller.scope, { ids: batchIds, paths, limiter })
    return { datalist: rows.map((batch) => toSeen(caller, batch)), total }
  },
})

export function createBatchService(
  needs: BatchReader & {
    readonly store: BatchStore
    readonly commands: Pick<CommandsService, 'give'>
    readonly pumps: Pick<PumpService, 'setHead'>
    readonly listSwitchedOff: Devices['listSwitchedOff']
    readonly clock: Clock
    readonly wake: () => void
  },
): BatchService {
  const { store, clock, get, list } = needs

  async function requireAbility(
    caller: Caller,
    id: string,
    ability: CommandBatch['abilities'][number],
  ): Promise<CommandBatch> {
    const batch = await get(caller, id)
    if (!batch.abilities.includes(ability)) throw new AppError('command-batch.not-now')
    return batch
  }

  return {
    get,
    list,
    async pause({ caller, operation }, id) {
      await requireAbility(caller, id, 'pause')
      await store.pause(id, clock.now(), operation)
      return get(caller, id)
    },
    async resume({ caller, operation }, id) {
      await requireAbility(caller, id, 'resume')
      await store.resume(id, clock.now(), operation)
      needs.wake()
      return get(caller, id)
    },
    async cancel({ caller, operation }, id) {
      await requireAbility(caller, id, 'cancel')
      await store.cancel(id, { at: clock.now(), detail: caller.account }, operation)
      return get(caller, id)
    },
    async retry(call, id) {
      const { reason, priority } = await requireAbility(call.caller, id, 'retry')
      const failed = await store.listFailed(id)
      const switchedOff = new Set(await needs.listSwitchedOff(failed.map(({ deviceId }) => deviceId)))
      const left = failed.filter(({ deviceId }) => !switchedOff.has(deviceId))
      const [first] = left
      if (!first) throw new AppError('command-batch.not-now')
      const again = { reason, priority, retryOf: id }
      // A batch asks heads of one pump or openings of valves, never both.
      const { batch } =
        first.kind === 'pump.set'
          ? await needs.pumps.setHead(call, { ...again, deviceId: first.deviceId, headKpa: first.target })
          : await needs.commands.give(call, {
              ...again,
              targets: left.map(({ deviceId, target }) => ({ deviceId, openingPct: target })),
            })
      return batch
    },
  }
}
