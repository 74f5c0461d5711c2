import { mayStand, minFlowOf, withoutDeadMeters } from '@isotherm/balancing/step/dead-meters'
import type { MetricName } from '@isotherm/contract/metrics'
import { median } from '@isotherm/kernel/statistics'
import type { Loop, LoopConsumer } from '../loop/loop.ts'
import { meanRoom } from './measured-loop.ts'
import type { Readings, ReadSeries } from './readings.ch.ts'

/** While a wave settles: readings count from `since` to `to`, Unix ms; the plant runs `timeFactor` times as fast. */
export interface WatchSpan {
  readonly since: number
  readonly to: number
  readonly timeFactor: number
}

/** Fall of a series from its first reading at or after an instant to its newest one; NaN without readings. */
function fallSince({ ts, value }: ReadSeries, from: number): number {
  const first = ts.findIndex((at) => at >= from)
  return first < 0 ? Number.NaN : (value[first] ?? Number.NaN) - (value.at(-1) ?? Number.NaN)
}

/** Marks consumers without flow whose water may stand, 1 each. */
function findStanding(
  consumers: readonly LoopConsumer[],
  readings: Readings,
  newest: Float64Array,
  { to, timeFactor }: WatchSpan,
): Uint8Array {
  const minFlow = minFlowOf(newest)
  const withFlow = consumers.filter((_, index) => (newest[index] ?? 0) > minFlow)
  const returnOf = ({ deviceId }: LoopConsumer): ReadSeries => readings(deviceId, 'temp.return')
  return Uint8Array.from(consumers, (consumer, index) => {
    const flow = newest[index] ?? Number.NaN
    if (Number.isNaN(flow) || flow > minFlow) return 0
    const { ts, value } = readings(consumer.deviceId, 'heat.flow')
    const last = value.findLastIndex((shown) => (Number.isNaN(minFlow) ? shown > 0 : shown > minFlow))
    const stoppedAt = ts[last + 1] ?? to
    const stopped = {
      wasSeen: last >= 0,
      sinceS: ((to - stoppedAt) * timeFactor) / 1000,
      fallK: fallSince(returnOf(consumer), stoppedAt),
      usualFallK: median(withFlow.map((other) => fallSince(returnOf(other), stoppedAt))) ?? 0,
    }
    return mayStand(stopped) ? 1 : 0
  })
}

/**
 * Newest flows since an instant, m³/h by valve; none of dead meters. A building that just lost its flow has a warm return
 * too: it counts as without flow, so that its wave stops.
 */
export function newestFlows(
  { consumers }: Loop,
  readings: Readings,
  rooms: ReadonlyMap<number, number>,
  span: WatchSpan,
): ReadonlyMap<number, number> {
  const newest = (deviceId: number, metric: MetricName): number => {
    const { ts, value } = readings(deviceId, metric)
    return (ts.at(-1) ?? 0) > span.since ? (value.at(-1) ?? Number.NaN) : Number.NaN
  }
  const of = (metric: MetricName): Float64Array =>
    Float64Array.from(consumers, ({ deviceId }) => newest(deviceId, metric))
  const meterM3H = of('heat.flow')
  const flows = withoutDeadMeters({
    meterKgS: meterM3H,
    returnC: of('temp.return'),
    roomC: Float64Array.from(consumers, (consumer) => meanRoom(consumer, rooms)),
    standing: findStanding(consumers, readings, meterM3H, span),
  })
  return new Map(
    consumers.flatMap(({ deviceId }, index): [number, number][] => {
      const flow = flows[index] ?? Number.NaN
      return Number.isNaN(flow) ? [] : [[deviceId, flow]]
    }),
  )
}
