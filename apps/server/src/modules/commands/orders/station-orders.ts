import type { Command, CommandBatch, CommandKind, ValveHold } from '@isotherm/contract/command'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import { isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { ulid } from 'ulid'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Devices, DevicesService } from '../../devices/index.ts'
import { resolveHold } from '../holds/hold-machine.ts'
import { listHolds } from '../holds/holds.pg.ts'
import type { ExtraWrites, NewCommand, Setpoint } from '../model/records.ts'
import { isSleeping, toValidityMs } from '../model/timing.ts'
import { findCommands, listLastCommands } from '../store/query.pg.ts'
import { storeOrder } from '../store/write-orders.pg.ts'
import type { BatchReader } from './batch-service.ts'
import { checkHold, type Order, type PlanNeeds, toBatch } from './plan-batch.ts'

export interface StationOrderNeeds {
  readonly db: Database
  readonly findOpening: PlanNeeds['findOpening']
  readonly batches: Pick<BatchReader, 'get'>
  readonly devices: Pick<DevicesService, 'getDevices'>
  readonly listSwitchedOff: Devices['listSwitchedOff']
  readonly findMetrics?: (deviceId: number) => DeviceState['metrics'] | undefined
  readonly clock: Clock
  readonly wake: () => void
}

/** What an order has besides its setpoint. */
export type StationOrder = Pick<Order, 'reason' | 'priority' | 'holdUntil' | 'validityS' | 'retryOf'> & {
  readonly deviceId: number
}

/** Finds the newest value of a metric. */
export type FindValue = (metric: MetricName) => number | undefined

/** One property of stations that their controllers set: the metric that they report if they accept commands to it. */
export interface StationProperty {
  readonly kind: CommandKind
  readonly metric: MetricName
}

/** Orders to one property of the controllers of stations. */
export function createStationOrders(needs: StationOrderNeeds, { kind, metric: reported }: StationProperty) {
  const { db, devices, clock } = needs

  /** Newest values of a station by metric. */
  function findReadings(deviceId: number): FindValue {
    const metrics: Readonly<Record<string, number>> = needs.findMetrics?.(deviceId) ?? {}
    return (metric) => (isMetricName(metric) ? metrics[metric] : undefined)
  }

  /** Throws device.not-found, device.not-controllable. */
  async function getStations(caller: Caller, deviceIds: readonly number[]): Promise<readonly Device[]> {
    const known = await devices.getDevices(caller.scope, deviceIds)
    const other = known.find(({ kind: of }) => of !== 'station')
    if (other) throw new AppError('device.not-controllable', { device: other.name, count: 1 })
    return known
  }

  /** The station, if its controller accepts commands to the property. Throws device.not-controllable. */
  async function getControllable(caller: Caller, deviceId: number): Promise<Device> {
    const [station] = await getStations(caller, [deviceId])
    if (!station) throw new AppError('device.not-found')
    const off = await needs.listSwitchedOff([deviceId])
    const isUncontrollable =
      station.use === 'retired' || off.length > 0 || findReadings(deviceId)(reported) === undefined
    if (isUncontrollable) throw new AppError('device.not-controllable', { device: station.name, count: 1 })
    return station
  }

  async function findHolds(
    caller: Caller,
    deviceIds: readonly number[],
  ): Promise<ReadonlyMap<number, ValveHold>> {
    const { datalist } = await listHolds(db, caller.scope, {
      now: clock.now(),
      deviceIds,
      kind,
      limiter: { page: 1, size: deviceIds.length },
    })
    return new Map(datalist.map((hold) => [hold.deviceId, hold]))
  }

  return {
    findReadings,
    getStations,
    getControllable,
    findHolds,

    /** The last command to the property, by device. */
    async findLast(caller: Caller, deviceIds: readonly number[]): Promise<ReadonlyMap<number, Command>> {
      const commands = await listLastCommands(db, caller.scope, deviceIds, kind)
      return new Map(commands.map((command) => [command.deviceId, command]))
    },

    /** Throws command.held if a hold refuses an order of this priority. */
    async requireFree(
      caller: Caller,
      station: Device,
      priority: NonNullable<StationOrder['priority']>,
    ): Promise<void> {
      const hold = (await findHolds(caller, [station.id])).get(station.id)
      if (hold && resolveHold(hold.priority, { priority, holds: false }).kind === 'refused')
        throw new AppError('command.held', { count: 1, devices: station.name })
    },

    /**
     * Stores a command to a station and the extra writes, all or none. Throws device.not-found,
     * device.not-controllable, command.held, request.malformed and the errors of the property's limits.
     */
    async send(
      { caller, operation }: Pick<Call, 'caller' | 'operation'>,
      order: StationOrder,
      { target, previous }: Pick<Setpoint, 'target'> & Pick<NewCommand, 'previous'>,
      extraWrites?: ExtraWrites,
    ): Promise<{ command: Command; batch: CommandBatch }> {
      const now = clock.now()
      checkHold(order, now)
      const station = await getControllable(caller, order.deviceId)
      const sleeps = isSleeping(station)
      const validityMs = order.validityS === undefined ? toValidityMs(sleeps, 0) : order.validityS * 1_000
      const command: NewCommand = {
        id: ulid(now),
        deviceId: station.id,
        queueId: station.concentratorId ?? station.id,
        sleeps,
        kind,
        target,
        previous,
        expiresAt: now + validityMs,
        hasDefaultValidity: !sleeps && order.validityS === undefined,
      }
      const batch = toBatch(caller, order, now)
      await storeOrder(db, { batch, commands: [command], extraWrites }, operation, needs.findOpening)
      needs.wake()
      const [stored] = await findCommands(db, caller.scope, [command.id])
      if (!stored) throw new AppError('command.not-found')
      return { command: stored.command, batch: await needs.batches.get(caller, batch.id) }
    },
  }
}
