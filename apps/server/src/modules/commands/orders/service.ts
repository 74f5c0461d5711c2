import type { Command, CommandBatch } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getCtlLog, updateDevLastOpenset } from '@isotherm/contract/endpoints/control/commands'
import type { OrderPreview } from '@isotherm/contract/order-preview'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DevicesService, LastOpening } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { Beside, CommandStore } from '../model/records.ts'
import type { BatchReader } from './batch-service.ts'
import { type Asking, checkOnce, type Order, type PlanNeeds, planBatch } from './plan-batch.ts'
import { previewOrder } from './preview-order.ts'
import type { PumpService } from './pump-service.ts'

export interface CommandsServiceNeeds extends PlanNeeds {
  readonly db: Database
  readonly store: CommandStore
  readonly batches: Pick<BatchReader, 'get'>
  readonly devices: DevicesService
  readonly network: NetworkService
  readonly clock: Clock
  readonly pumps: Pick<PumpService, 'setHead' | 'require'>
  /** Something is due to be dispatched. */
  readonly wake: () => void
}

export interface CommandsService {
  /** Stores commands to valves, and what is to be stored beside them, all or none; the dispatcher does the rest. */
  give(
    call: Pick<Call, 'caller' | 'operation'>,
    order: Order,
    beside?: Beside,
  ): Promise<{ batchId: string; commands: Command[]; batch: CommandBatch }>
  /** What giving an order would meet now. */
  preview(caller: Caller, order: Asking): Promise<OrderPreview>
  /** Stores a command to a station's pump, and what is to be stored beside it, all or none. */
  readonly setHead: PumpService['setHead']
  /** Throws what giving a head would be refused with now. */
  readonly requireHead: PumpService['require']
  cancel(call: Call, ids: readonly string[]): Promise<Command[]>
  /** Cancels those of them that the caller sees and that were never tried, and does what is beside it, all or none. */
  cancelUntried(
    call: Pick<Call, 'caller' | 'operation'>,
    ids: readonly string[],
    beside?: Parameters<CommandStore['cancelUntried']>[3],
  ): Promise<void>
  /** Notes openings asked by other means, all or none; what is noted now of each valve. */
  noteOpenings(call: Call, items: InputOf<typeof updateDevLastOpenset>['items']): Promise<LastOpening[]>
  list(caller: Caller, query: InputOf<typeof getCtlLog>): Promise<{ datalist: Command[]; total: number }>
  listLast(caller: Caller, deviceIds: readonly number[]): Promise<Command[]>
}

/** How far ahead a client's clock may be. */
const CLOCK_ERROR_MS = MINUTE_MS

/** So many commands are answered to who gave them; the log has the others. */
const MOST_ANSWERED = 1_000

export function createCommandsService(needs: CommandsServiceNeeds): CommandsService {
  const { store, batches, devices, network, clock } = needs

  async function readCommands(caller: Caller, ids: readonly string[]): Promise<Command[]> {
    const found = await store.find(caller.scope, ids)
    return found.map(({ command }) => command)
  }

  return {
    async give({ caller, operation }, order, beside) {
      const { batch, commands } = await planBatch(needs, caller, order, clock.now())
      await store.insertBatch(batch, commands, operation, beside)
      needs.wake()
      const ids = commands.slice(0, MOST_ANSWERED).map(({ id }) => id)
      return {
        batchId: batch.id,
        commands: await readCommands(caller, ids),
        batch: await batches.get(caller, batch.id),
      }
    },

    setHead: needs.pumps.setHead,
    requireHead: needs.pumps.require,

    preview: (caller, order) => previewOrder(needs, caller, order, clock.now()),

    async cancel({ caller, operation }, ids) {
      const found = await store.find(caller.scope, ids)
      if (found.length < new Set(ids).size) throw new AppError('command.not-found')
      if (found.some(({ command }) => command.state !== 'queued'))
        throw new AppError('command.not-cancellable')
      const facts = { at: clock.now(), detail: caller.account }
      if (!(await store.cancelAll(ids, facts, operation))) throw new AppError('command.not-cancellable')
      return readCommands(caller, ids)
    },

    async cancelUntried({ caller, operation }, ids, beside) {
      const seen = (await readCommands(caller, ids)).map(({ id }) => id)
      await store.cancelUntried(seen, { at: clock.now(), detail: caller.account }, operation, beside)
    },

    async noteOpenings({ caller, operation }, items) {
      const now = clock.now()
      if (items.some(({ at = now }) => at > now + CLOCK_ERROR_MS)) {
        throw new AppError('request.malformed', { detail: 'items: at is in the future' })
      }
      const asked = items.map(({ at = now, ...item }) => ({ ...item, at: Math.min(at, now) }))
      checkOnce(asked, 'items')
      const ids = asked.map(({ deviceId }) => deviceId)
      for (const device of await devices.getDevices(caller.scope, ids)) {
        if (device.kind !== 'valve') throw new AppError('device.not-controllable', { device: device.name })
      }
      return [...(await store.noteOpenings(asked, operation))]
    },

    async list(caller, { nodes, deviceIds, ...query }) {
      const paths = nodes && nodes.length > 0 ? await network.resolveNodes(caller.scope, nodes) : undefined
      if (deviceIds && deviceIds.length > 0) await devices.getDevices(caller.scope, deviceIds)
      return store.list(caller.scope, {
        ...query,
        paths,
        deviceIds: deviceIds?.length ? deviceIds : undefined,
      })
    },

    async listLast(caller, deviceIds) {
      await devices.getDevices(caller.scope, deviceIds)
      return store.listLast(caller.scope, deviceIds)
    },
  }
}
