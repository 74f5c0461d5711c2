import type { Command, CommandBatch, PumpLimits } from '@isotherm/contract/command'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import type { InputOf } from '@isotherm/contract/endpoint'
import { type Pump, type setPumpHead, setPumpLimits } from '@isotherm/contract/endpoints/control/pumps'
import { isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { ulid } from 'ulid'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Devices, DevicesService } from '../../devices/index.ts'
import { resolveHold } from '../holds/hold-machine.ts'
import { listHolds } from '../holds/holds.pg.ts'
import {
  findHeadRange,
  findPumpLimits,
  setPumpLimits as storeLimits,
  toHeadOutside,
} from '../limits/pump-limits.pg.ts'
import { toHeadKpa } from '../model/head-reading.ts'
import type { ExtraWrites, NewCommand } from '../model/records.ts'
import { isSleeping, toValidityMs } from '../model/timing.ts'
import { findCommands, listLastCommands } from '../store/query.pg.ts'
import { storeOrder } from '../store/write-orders.pg.ts'
import type { BatchReader } from './batch-service.ts'
import { checkHold, type PlanNeeds, toBatch } from './plan-batch.ts'

export type HeadOrder = InputOf<typeof setPumpHead> & { readonly retryOf?: string }

export interface PumpServiceNeeds {
  readonly db: Database
  readonly findOpening: PlanNeeds['findOpening']
  readonly batches: Pick<BatchReader, 'get'>
  readonly devices: Pick<DevicesService, 'getDevices'>
  readonly listSwitchedOff: Devices['listSwitchedOff']
  readonly findMetrics?: (deviceId: number) => DeviceState['metrics'] | undefined
  readonly clock: Clock
  readonly wake: () => void
}

/** The pumps of stations: their heads, limits and commands. */
export interface PumpService {
  /** Throws device.not-found, device.not-controllable. */
  list(caller: Caller, deviceIds: readonly number[]): Promise<Pump[]>
  /**
   * Stores a command to a pump and the extra writes, all or none. Throws device.not-found,
   * device.not-controllable, command.head-outside, command.held, request.malformed.
   */
  setHead(
    call: Pick<Call, 'caller' | 'operation'>,
    order: HeadOrder,
    extraWrites?: ExtraWrites,
  ): Promise<{ command: Command; batch: CommandBatch }>
  /** Throws the error with which `setHead` would fail now. Stores nothing. */
  requireHead(caller: Caller, order: Pick<HeadOrder, 'deviceId' | 'headKpa' | 'priority'>): Promise<void>
  /** Limits of a pump, without a check of access. */
  findLimits(deviceId: number): Promise<PumpLimits>
  /** Throws device.not-found, device.not-controllable, entity.stale. */
  setLimits(call: Call, input: InputOf<typeof setPumpLimits>): Promise<Pump>
}

const mayLimit = ({ permissions }: Caller): boolean =>
  setPumpLimits.access.anyOf.some((permission) => permissions.has(permission))

export function createPumpService(needs: PumpServiceNeeds): PumpService {
  const { db, devices, clock } = needs

  const reading = (deviceId: number) => {
    const metrics: Readonly<Record<string, number>> = needs.findMetrics?.(deviceId) ?? {}
    const find = (metric: MetricName): number | undefined =>
      isMetricName(metric) ? metrics[metric] : undefined
    const targetKpa = find('pump.target')
    const headKpa = toHeadKpa(find)
    // Without a measured head, the setpoint counts as the actual head.
    const fromKpa = headKpa ?? (targetKpa || undefined)
    return { headKpa, fromKpa, targetKpa, takesHead: targetKpa !== undefined }
  }

  async function getStations(caller: Caller, deviceIds: readonly number[]): Promise<readonly Device[]> {
    const known = await devices.getDevices(caller.scope, deviceIds)
    const other = known.find(({ kind }) => kind !== 'station')
    if (other) throw new AppError('device.not-controllable', { device: other.name, count: 1 })
    return known
  }

  /** The station, if its pump can be controlled. Throws device.not-controllable. */
  async function getControllable(caller: Caller, deviceId: number): Promise<Device> {
    const [station] = await getStations(caller, [deviceId])
    if (!station) throw new AppError('device.not-found')
    const off = await needs.listSwitchedOff([deviceId])
    const isUncontrollable = station.use === 'retired' || off.length > 0 || !reading(deviceId).takesHead
    if (isUncontrollable) throw new AppError('device.not-controllable', { device: station.name, count: 1 })
    return station
  }

  const findHolds = async (caller: Caller, deviceIds: readonly number[]) => {
    const { datalist } = await listHolds(db, caller.scope, {
      now: clock.now(),
      deviceIds,
      limiter: { page: 1, size: deviceIds.length },
    })
    return new Map(datalist.map((hold) => [hold.deviceId, hold]))
  }

  async function list(caller: Caller, deviceIds: readonly number[]): Promise<Pump[]> {
    const stations = await getStations(caller, deviceIds)
    const [limitsOf, holds, commands] = await Promise.all([
      findPumpLimits(db, deviceIds),
      findHolds(caller, deviceIds),
      listLastCommands(db, caller.scope, deviceIds),
    ])
    const last = new Map(commands.map((command) => [command.deviceId, command]))
    return stations.map(({ id, name, nestaddr, use }): Pump => {
      const { headKpa, targetKpa, takesHead } = reading(id)
      const [hold, command] = [holds.get(id), last.get(id)]
      const maySet = takesHead && use === 'in-use' && caller.permissions.has('pe-fmcontrol')
      return {
        deviceId: id,
        deviceName: name,
        nestaddr,
        takesHead,
        ...limitsOf(id),
        ...(headKpa === undefined ? {} : { headKpa }),
        ...(targetKpa ? { targetKpa } : {}),
        ...(hold ? { hold } : {}),
        ...(command ? { command } : {}),
        abilities: [
          ...(maySet ? (['set-head'] as const) : []),
          ...(mayLimit(caller) && use === 'in-use' ? (['set-limits'] as const) : []),
        ],
      }
    })
  }

  return {
    list,

    async setHead({ caller, operation }, order, extraWrites) {
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
        kind: 'pump.set',
        target: order.headKpa,
        previous: reading(station.id).fromKpa,
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

    async requireHead(caller, { deviceId, headKpa, priority = 'manual' }) {
      const station = await getControllable(caller, deviceId)
      const { limits } = (await findPumpLimits(db, [deviceId]))(deviceId)
      const isEmergency = priority === 'emergency'
      const previousKpa = reading(deviceId).fromKpa
      const range = findHeadRange(limits, { headKpa, previousKpa, isEmergency })
      if (range) throw toHeadOutside(station.name, range)
      const hold = (await findHolds(caller, [deviceId])).get(deviceId)
      if (hold && resolveHold(hold.priority, { priority, holds: false }).kind === 'refused')
        throw new AppError('command.held', { count: 1, devices: station.name })
    },

    findLimits: async (deviceId) => (await findPumpLimits(db, [deviceId]))(deviceId).limits,

    async setLimits({ caller, operation }, { deviceId, ...given }) {
      await getStations(caller, [deviceId])
      await operate(db, operation, (transaction) => storeLimits(transaction, deviceId, given))
      const [pump] = await list(caller, [deviceId])
      if (!pump) throw new AppError('device.not-found')
      return pump
    },
  }
}
