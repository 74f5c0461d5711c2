import type { CommandBatch } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getCtlBatches } from '@isotherm/contract/endpoints/control/command-batches'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Devices } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { batchTransitions } from '../model/batch-machine.ts'
import {
  cancelBatch,
  listBatches,
  listFailed,
  pauseBatch,
  resumeBatch,
  type VisibleBatch,
} from './batches.pg.ts'
import type { CommandsService } from './commands-service.ts'
import type { PumpService } from './pump-service.ts'
import type { SupplyService } from './supply-service.ts'

/** Batches as a caller sees them. */
export interface BatchReader {
  /** Throws command-batch.not-found. */
  get(caller: Caller, id: string): Promise<CommandBatch>
  list(
    caller: Caller,
    query: InputOf<typeof getCtlBatches>,
  ): Promise<{ datalist: CommandBatch[]; total: number }>
}

/** Actions on whole batches. Each throws command-batch.not-found or command-batch.not-now. */
export interface BatchService extends BatchReader {
  pause(call: Call, id: string): Promise<CommandBatch>
  resume(call: Call, id: string): Promise<CommandBatch>
  cancel(call: Call, id: string): Promise<CommandBatch>
  /** Sends the failed setpoints again as a new batch. Throws the errors of sending it. */
  retry(call: Call, id: string): Promise<CommandBatch>
}

const hasFailed = ({ counts }: VisibleBatch): boolean =>
  (counts.failed ?? 0) + (counts.expired ?? 0) + (counts.unknown ?? 0) > 0

function toAbilities(caller: Caller, batch: VisibleBatch): CommandBatch['abilities'] {
  // A caller who sees only a part would act on devices outside of the grants.
  if (!batch.isWhole || !caller.permissions.has('pe-fmcontrol')) return []
  const events = (['pause', 'resume', 'cancel'] as const).filter(
    (event) => batchTransitions[batch.state][event],
  )
  return hasFailed(batch) ? [...events, 'retry'] : events
}

const toVisible = (caller: Caller, batch: VisibleBatch): CommandBatch => {
  const { isWhole: _, retryOf, ...shown } = batch
  return { ...shown, ...(retryOf === null ? {} : { retryOf }), abilities: toAbilities(caller, batch) }
}

export const createBatchReader = (
  db: Database,
  network: Pick<NetworkService, 'resolveNodes'>,
): BatchReader => ({
  async get(caller, id) {
    const { rows } = await listBatches(db, caller.scope, { ids: [id], limiter: { page: 1, size: 1 } })
    const [batch] = rows
    if (!batch) throw new AppError('command-batch.not-found')
    return toVisible(caller, batch)
  },
  async list(caller, { nodes, batchIds, limiter }) {
    const paths = nodes?.length ? await network.resolveNodes(caller.scope, nodes) : undefined
    const { rows, total } = await listBatches(db, caller.scope, { ids: batchIds, paths, limiter })
    return { datalist: rows.map((batch) => toVisible(caller, batch)), total }
  },
})

export function createBatchService(
  needs: BatchReader & {
    readonly db: Database
    readonly commands: Pick<CommandsService, 'send'>
    readonly pumps: Pick<PumpService, 'setHead'>
    readonly supplies: Pick<SupplyService, 'setOffset'>
    readonly listSwitchedOff: Devices['listSwitchedOff']
    readonly clock: Clock
    readonly wake: () => void
  },
): BatchService {
  const { db, clock, get, list } = needs

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
      await pauseBatch(db, id, clock.now(), operation)
      return get(caller, id)
    },
    async resume({ caller, operation }, id) {
      await requireAbility(caller, id, 'resume')
      await resumeBatch(db, id, clock.now(), operation)
      needs.wake()
      return get(caller, id)
    },
    async cancel({ caller, operation }, id) {
      await requireAbility(caller, id, 'cancel')
      await cancelBatch(db, id, { at: clock.now(), detail: caller.account }, operation)
      return get(caller, id)
    },
    async retry(call, id) {
      const { reason, priority } = await requireAbility(call.caller, id, 'retry')
      const failed = await listFailed(db, id)
      const switchedOff = new Set(await needs.listSwitchedOff(failed.map(({ deviceId }) => deviceId)))
      const left = failed.filter(({ deviceId }) => !switchedOff.has(deviceId))
      const [first] = left
      if (!first) throw new AppError('command-batch.not-now')
      const shared = { reason, priority, retryOf: id }
      // A batch sets one property of a station or the openings of valves, never both.
      const { kind, deviceId, target } = first
      if (kind === 'pump.set')
        return (await needs.pumps.setHead(call, { ...shared, deviceId, headKpa: target })).batch
      if (kind === 'supply.set')
        return (await needs.supplies.setOffset(call, { ...shared, deviceId, offsetK: target })).batch
      const targets = left.map((setpoint) => ({ deviceId: setpoint.deviceId, openingPct: setpoint.target }))
      // One order has one longest time: that of its shortest valve.
      const longest = left.flatMap(({ maxOpenS }) => (maxOpenS === null ? [] : [maxOpenS]))
      const limited = longest.length > 0 ? { maxOpenS: Math.min(...longest) } : {}
      return (await needs.commands.send(call, { ...shared, ...limited, targets })).batch
    },
  }
}
