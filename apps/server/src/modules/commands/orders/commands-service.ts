import type { Command, CommandBatch } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getCtlLog, updateDevLastOpenset } from '@isotherm/contract/endpoints/control/commands'
import type { OrderPreview } from '@isotherm/contract/order-preview'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DeviceDirectory, DevicesService, LastOpening } from '../../devices/index.ts'
import { recordOpenings } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { ExtraWrites } from '../model/records.ts'
import { isSleeping } from '../model/timing.ts'
import { findCommands, listCommands, listLastCommands } from '../store/query.pg.ts'
import { type Cancellation, cancelAll, cancelUntried, storeOrder } from '../store/write-orders.pg.ts'
import type { BatchReader } from './batch-service.ts'
import {
  type Order,
  type OrderRequest,
  type PlanNeeds,
  planBatch,
  requireDistinctDevices,
} from './plan-batch.ts'
import { previewOrder } from './preview-order.ts'
import type { PumpService } from './pump-service.ts'

export interface CommandsServiceNeeds extends PlanNeeds {
  readonly db: Database
  readonly batches: Pick<BatchReader, 'get'>
  readonly devices: DevicesService
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly network: NetworkService
  readonly clock: Clock
  readonly pumps: Pick<PumpService, 'setHead' | 'requireHead'>
  /** Wakes the dispatcher. */
  readonly wake: () => void
}

export interface CommandsService {
  /** Stores commands to valves and the extra writes, all or none. The dispatcher publishes them. */
  send(
    call: Pick<Call, 'caller' | 'operation'>,
    order: Order,
    extraWrites?: ExtraWrites,
  ): Promise<{ batchId: string; commands: Command[]; batch: CommandBatch }>
  /** Checks an order without sending it. */
  preview(caller: Caller, order: OrderRequest): Promise<OrderPreview>
  /** Stores a command to a station's pump and the extra writes, all or none. */
  readonly setHead: PumpService['setHead']
  /** Throws the error with which `setHead` would fail now. */
  readonly requireHead: PumpService['requireHead']
  cancel(call: Call, ids: readonly string[]): Promise<Command[]>
  /** Cancels the visible commands that were never tried and runs the extra writes, all or none. */
  cancelUntried(
    call: Pick<Call, 'caller' | 'operation'>,
    ids: readonly string[],
    extraWrites?: Cancellation['extraWrites'],
  ): Promise<void>
  /** Records openings that were requested by other means, all or none. Returns the recorded opening of each valve. */
  recordOpenings(call: Call, items: InputOf<typeof updateDevLastOpenset>['items']): Promise<LastOpening[]>
  list(caller: Caller, query: InputOf<typeof getCtlLog>): Promise<{ datalist: Command[]; total: number }>
  listLast(caller: Caller, deviceIds: readonly number[]): Promise<Command[]>
  /**
   * The devices that listen only after their own reports, so that a command waits for the next report. Devices of a radio
   * network are in the list only if their configuration says so. Does not check the scope.
   */
  listAsleep(deviceIds: readonly number[]): Promise<ReadonlySet<number>>
}

/** How far ahead a client's clock may be. */
const CLOCK_ERROR_MS = MINUTE_MS

/** Maximum number of commands in the answer; the command log has all. */
const MAX_ANSWERED = 1_000

export function createCommandsService(needs: CommandsServiceNeeds): CommandsService {
  const { db, batches, devices, network, clock, findOpening } = needs

  async function readCommands(caller: Caller, ids: readonly string[]): Promise<Command[]> {
    const found = await findCommands(db, caller.scope, ids)
    return found.map(({ command }) => command)
  }

  return {
    async send({ caller, operation }, order, extraWrites) {
      const { batch, commands } = await planBatch(needs, caller, order, clock.now())
      await storeOrder(db, { batch, commands, extraWrites }, operation, findOpening)
      needs.wake()
      const ids = commands.slice(0, MAX_ANSWERED).map(({ id }) => id)
      return {
        batchId: batch.id,
        commands: await readCommands(caller, ids),
        batch: await batches.get(caller, batch.id),
      }
    },

    setHead: needs.pumps.setHead,
    requireHead: needs.pumps.requireHead,

    preview: (caller, order) => previewOrder(needs, caller, order, clock.now()),

    async cancel({ caller, operation }, ids) {
      const found = await findCommands(db, caller.scope, ids)
      if (found.length < new Set(ids).size) throw new AppError('command.not-found')
      if (found.some(({ command }) => command.state !== 'queued'))
        throw new AppError('command.not-cancellable')
      const facts = { at: clock.now(), detail: caller.account }
      if (!(await cancelAll(db, ids, facts, operation))) throw new AppError('command.not-cancellable')
      return readCommands(caller, ids)
    },

    async cancelUntried({ caller, operation }, ids, extraWrites) {
      const visible = (await readCommands(caller, ids)).map(({ id }) => id)
      const facts = { at: clock.now(), detail: caller.account }
      await cancelUntried(db, { ids: visible, facts, extraWrites }, operation)
    },

    async recordOpenings({ caller, operation }, items) {
      const now = clock.now()
      if (items.some(({ at = now }) => at > now + CLOCK_ERROR_MS)) {
        throw new AppError('request.malformed', { detail: 'items: at is in the future' })
      }
      const openings = items.map(({ at = now, ...item }) => ({ ...item, at: Math.min(at, now) }))
      requireDistinctDevices(openings, 'items')
      const ids = openings.map(({ deviceId }) => deviceId)
      for (const device of await devices.getDevices(caller.scope, ids)) {
        if (device.kind !== 'valve') throw new AppError('device.not-controllable', { device: device.name })
      }
      return [...(await operate(db, operation, (transaction) => recordOpenings(transaction, openings)))]
    },

    async list(caller, { nodes, deviceIds, ...query }) {
      const paths = nodes && nodes.length > 0 ? await network.resolveNodes(caller.scope, nodes) : undefined
      if (deviceIds && deviceIds.length > 0) await devices.getDevices(caller.scope, deviceIds)
      return listCommands(db, caller.scope, {
        ...query,
        paths,
        deviceIds: deviceIds?.length ? deviceIds : undefined,
      })
    },

    async listLast(caller, deviceIds) {
      await devices.getDevices(caller.scope, deviceIds)
      return listLastCommands(db, caller.scope, deviceIds)
    },

    async listAsleep(deviceIds) {
      const radio = await needs.listRadioDevices?.(deviceIds)
      return new Set(
        deviceIds.filter((id) => {
          const device = needs.directory.findById(id)
          return radio?.get(id) === true || (device !== undefined && isSleeping(device))
        }),
      )
    },
  }
}
