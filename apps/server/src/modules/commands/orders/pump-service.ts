import type { Command, CommandBatch, PumpLimits } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import { type Pump, type setPumpHead, setPumpLimits } from '@isotherm/contract/endpoints/control/pumps'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import {
  findPumpLimits,
  setPumpLimits as storeLimits,
  toHeadLimits,
  toHeadOutside,
} from '../limits/pump-limits.pg.ts'
import { findAllowedRange } from '../limits/setpoint-limits.pg.ts'
import { toHeadKpa } from '../model/head-reading.ts'
import type { ExtraWrites } from '../model/records.ts'
import { createStationOrders, type StationOrderNeeds } from './station-orders.ts'

export type HeadOrder = InputOf<typeof setPumpHead> & { readonly retryOf?: string }

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

export function createPumpService(needs: StationOrderNeeds): PumpService {
  const { db } = needs
  const orders = createStationOrders(needs, { kind: 'pump.set', metric: 'pump.target' })

  const reading = (deviceId: number) => {
    const find = orders.findReadings(deviceId)
    const targetKpa = find('pump.target')
    const headKpa = toHeadKpa(find)
    // Without a measured head, the setpoint counts as the actual head.
    const fromKpa = headKpa ?? (targetKpa || undefined)
    return { headKpa, fromKpa, targetKpa, takesHead: targetKpa !== undefined }
  }

  async function list(caller: Caller, deviceIds: readonly number[]): Promise<Pump[]> {
    const stations = await orders.getStations(caller, deviceIds)
    const [limitsOf, holds, last] = await Promise.all([
      findPumpLimits(db, deviceIds),
      orders.findHolds(caller, deviceIds),
      orders.findLast(caller, deviceIds),
    ])
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

    setHead: (call, order, extraWrites) =>
      orders.send(
        call,
        order,
        { target: order.headKpa, previous: reading(order.deviceId).fromKpa },
        extraWrites,
      ),

    async requireHead(caller, { deviceId, headKpa, priority = 'manual' }) {
      const station = await orders.getControllable(caller, deviceId)
      const { limits } = (await findPumpLimits(db, [deviceId]))(deviceId)
      const range = findAllowedRange(toHeadLimits(limits), {
        target: headKpa,
        previous: reading(deviceId).fromKpa,
        isEmergency: priority === 'emergency',
      })
      if (range) throw toHeadOutside(station.name, range)
      await orders.requireFree(caller, station, priority)
    },

    findLimits: async (deviceId) => (await findPumpLimits(db, [deviceId]))(deviceId).limits,

    async setLimits({ caller, operation }, { deviceId, ...given }) {
      await orders.getStations(caller, [deviceId])
      await operate(db, operation, (transaction) => storeLimits(transaction, deviceId, given))
      const [pump] = await list(caller, [deviceId])
      if (!pump) throw new AppError('device.not-found')
      return pump
    },
  }
}
