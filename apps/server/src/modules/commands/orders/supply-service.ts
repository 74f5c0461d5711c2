import type { Command, CommandBatch, SupplyLimits } from '@isotherm/contract/command'
import type { InputOf } from '@isotherm/contract/endpoint'
import {
  type Supply,
  setSupplyLimits,
  type setSupplyOffset,
} from '@isotherm/contract/endpoints/control/supplies'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { findAllowedRange } from '../limits/setpoint-limits.pg.ts'
import {
  findSupplyLimits,
  setSupplyLimits as storeLimits,
  toOffsetLimits,
  toOffsetOutside,
} from '../limits/supply-limits.pg.ts'
import type { ExtraWrites } from '../model/records.ts'
import { findLastOffset, type LastOffset } from '../store/open-commands.pg.ts'
import { createStationOrders, type StationOrderNeeds } from './station-orders.ts'

export type OffsetOrder = InputOf<typeof setSupplyOffset> & { readonly retryOf?: string }

/** The supply temperatures of stations: the offsets of their heating curves, limits and commands. */
export interface SupplyService {
  /** Throws device.not-found, device.not-controllable. */
  list(caller: Caller, deviceIds: readonly number[]): Promise<Supply[]>
  /**
   * Stores a command to a station and the extra writes, all or none. Throws device.not-found,
   * device.not-controllable, command.offset-outside, command.held, request.malformed.
   */
  setOffset(
    call: Pick<Call, 'caller' | 'operation'>,
    order: OffsetOrder,
    extraWrites?: ExtraWrites,
  ): Promise<{ command: Command; batch: CommandBatch }>
  /** Throws the error with which `setOffset` would fail now. Stores nothing. */
  requireOffset(caller: Caller, order: Pick<OffsetOrder, 'deviceId' | 'offsetK' | 'priority'>): Promise<void>
  /** Limits of a supply temperature, without a check of access. */
  findLimits(deviceId: number): Promise<SupplyLimits>
  /** The newest command of an offset that was carried out or can still be carried out, without a check of access. */
  findLastOrder(deviceId: number): Promise<LastOffset | undefined>
  /** Throws device.not-found, device.not-controllable, entity.stale. */
  setLimits(call: Call, input: InputOf<typeof setSupplyLimits>): Promise<Supply>
}

const mayLimit = ({ permissions }: Caller): boolean =>
  setSupplyLimits.access.anyOf.some((permission) => permissions.has(permission))

export function createSupplyService(needs: StationOrderNeeds): SupplyService {
  const { db } = needs
  const orders = createStationOrders(needs, { kind: 'supply.set', metric: 'supply.offset' })
  const offsetOf = (deviceId: number) => orders.findReadings(deviceId)('supply.offset')

  async function list(caller: Caller, deviceIds: readonly number[]): Promise<Supply[]> {
    const stations = await orders.getStations(caller, deviceIds)
    const [limitsOf, holds, last] = await Promise.all([
      findSupplyLimits(db, deviceIds),
      orders.findHolds(caller, deviceIds),
      orders.findLast(caller, deviceIds),
    ])
    return stations.map(({ id, name, nestaddr, use }): Supply => {
      const find = orders.findReadings(id)
      const [supplyC, outdoorC] = [find('temp.supply'), find('temp.outdoor')]
      const [targetC, offsetK] = [find('supply.target'), find('supply.offset')]
      const [hold, command] = [holds.get(id), last.get(id)]
      const takesOffset = offsetK !== undefined
      const maySet = takesOffset && use === 'in-use' && caller.permissions.has('pe-fmcontrol')
      return {
        deviceId: id,
        deviceName: name,
        nestaddr,
        takesOffset,
        ...limitsOf(id),
        ...(supplyC === undefined ? {} : { supplyC }),
        ...(outdoorC === undefined ? {} : { outdoorC }),
        ...(targetC === undefined ? {} : { targetC }),
        ...(takesOffset ? { offsetK } : {}),
        ...(hold ? { hold } : {}),
        ...(command ? { command } : {}),
        abilities: [
          ...(maySet ? (['set-offset'] as const) : []),
          ...(mayLimit(caller) && use === 'in-use' ? (['set-limits'] as const) : []),
        ],
      }
    })
  }

  return {
    list,

    setOffset: (call, order, extraWrites) =>
      orders.send(call, order, { target: order.offsetK, previous: offsetOf(order.deviceId) }, extraWrites),

    async requireOffset(caller, { deviceId, offsetK, priority = 'manual' }) {
      const station = await orders.getControllable(caller, deviceId)
      const { limits } = (await findSupplyLimits(db, [deviceId]))(deviceId)
      const range = findAllowedRange(toOffsetLimits(limits), {
        target: offsetK,
        previous: offsetOf(deviceId),
        isEmergency: priority === 'emergency',
      })
      if (range) throw toOffsetOutside(station.name, range)
      await orders.requireFree(caller, station, priority)
    },

    findLimits: async (deviceId) => (await findSupplyLimits(db, [deviceId]))(deviceId).limits,

    findLastOrder: (deviceId) => findLastOffset(db, deviceId),

    async setLimits({ caller, operation }, { deviceId, ...given }) {
      await orders.getStations(caller, [deviceId])
      await operate(db, operation, (transaction) => storeLimits(transaction, deviceId, given))
      const [supply] = await list(caller, [deviceId])
      if (!supply) throw new AppError('device.not-found')
      return supply
    },
  }
}
