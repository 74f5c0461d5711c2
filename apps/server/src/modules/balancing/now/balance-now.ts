import type { BalanceNow } from '@isotherm/contract/balancing/balance-now'
import type { DeviceState } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import { weightedMean } from '@isotherm/kernel/statistics'
import type { Exclusions } from '../loop/exclusions.ts'
import { known } from '../loop/known.ts'
import type { Loop } from '../loop/loop.ts'
import { returnOffsetsOf } from '../loop/return-offsets.ts'
import { type IndexedState, toIndices } from '../measurements/loop-indices.ts'
import { meanRoom, toKgS } from '../measurements/measured-loop.ts'
import { findHeadPa, newestOf } from '../measurements/newest.ts'

const ofArea = (values: Float64Array, areaM2: Float64Array): number =>
  weightedMean(values, areaM2) ?? Number.NaN

/** Balance of a loop from its newest readings. */
export function toBalanceNow(
  { consumers, station }: Loop,
  areaM2: Float64Array,
  exclusions: Exclusions,
  findState: (deviceId: number) => DeviceState | undefined,
  more: Pick<IndexedState, 'losses' | 'actuation'> = {},
): Omit<BalanceNow, 'node' | 'stationName'> {
  const states = consumers.map(({ deviceId }) => findState(deviceId))
  const ofValves = (metric: MetricName) => Float64Array.from(states, (state) => newestOf(state, metric))
  const ofStation = (metric: MetricName) => newestOf(findState(station.deviceId), metric)
  const [supplyC, returnC] = [ofValves('temp.supply'), ofValves('temp.return')]
  const [openingPct, flowM3H] = [ofValves('valve.opening'), ofValves('heat.flow')]
  const rooms = new Map(
    consumers.flatMap((consumer) =>
      consumer.rooms.map(({ deviceId }) => [deviceId, newestOf(findState(deviceId), 'temp.room')] as const),
    ),
  )
  const meanReturnC = ofArea(returnC, areaM2)
  const offsetK = returnOffsetsOf({ consumers })
  const errorK = returnC.map((value, index) => value - (offsetK[index] ?? 0))
  const meanErrorK = ofArea(errorK, areaM2)
  const isMeasured = (index: number) => !Number.isNaN((supplyC[index] ?? 0) + (returnC[index] ?? 0))
  const excludedOf = (deviceId: number, index: number) =>
    exclusions.get(deviceId) ?? (isMeasured(index) ? undefined : ('not-measured' as const))
  const newest = [station.deviceId, ...consumers.map(({ deviceId }) => deviceId)].map(
    (deviceId) => findState(deviceId)?.ts ?? 0,
  )
  const at = newest.reduce((max, ts) => Math.max(max, ts), 0)
  return {
    ...(at > 0 ? { at } : {}),
    indices: toIndices({
      ...more,
      areaM2,
      supplyC,
      returnC,
      offsetK,
      flowKgS: flowM3H.map(toKgS),
      opening: openingPct.map((pct) => pct / 100),
      isExcluded: Uint8Array.from(consumers, ({ deviceId }, index) => (excludedOf(deviceId, index) ? 1 : 0)),
      roomC: [...rooms.values()],
      outdoorC: ofStation('temp.outdoor'),
      pumpW: 1000 * ofStation('pump.power'),
      headPa: findHeadPa(findState(station.deviceId)),
      stationSupplyC: ofStation('temp.supply'),
      stationReturnC: ofStation('temp.return'),
    }),
    ...known({ meanReturnC }),
    valves: consumers.map((consumer, index) => {
      const { deviceId, deviceName, node, nestaddr } = consumer
      const excluded = excludedOf(deviceId, index)
      return {
        deviceId,
        deviceName,
        node,
        nestaddr,
        areaM2: areaM2[index] ?? 0,
        ...known({
          openingPct: openingPct[index],
          flowM3H: flowM3H[index],
          supplyC: supplyC[index],
          returnC: returnC[index],
          roomC: meanRoom(consumer, rooms),
          deviationK: (errorK[index] ?? Number.NaN) - meanErrorK,
        }),
        ...(excluded ? { excluded } : {}),
      }
    }),
  }
}
