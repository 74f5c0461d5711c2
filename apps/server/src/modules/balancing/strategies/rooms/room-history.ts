import type { RoomHistory } from '@isotherm/balancing/rooms/time-constant'
import { weightedMean } from '@isotherm/kernel/statistics'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import type { SlotMeans } from '../../measurements/slot-means.ch.ts'
import type { PartConsumer } from '../../now/cache-by-loop.ts'

/** Exponent n of radiators. For floor heating it is slightly too high. */
const EXPONENT = 1.3
/** Assumed room temperature in a slot without a reading, °C. */
const ASSUMED_ROOM_C = 20

/** A value of merged series, from their mean over all slots, and from mean value and usual mean of those known in a slot. */
type Merge = (overall: number, present: number, usual: number) => number

/**
 * Merges series into one. Each slot compares the series known in it with their own means over time, so that the result does
 * not jump where one of them has a gap.
 */
function join(series: readonly Float64Array[], slots: number, merge: Merge): Float64Array {
  const known = series.map((values) => ({ values, mean: weightedMean(values) ?? Number.NaN }))
  const overall = weightedMean(known.map(({ mean }) => mean)) ?? Number.NaN
  return Float64Array.from({ length: slots }, (_, slot) => {
    let [sum, means, count] = [0, 0, 0]
    for (const { values, mean } of known) {
      const value = values[slot] ?? Number.NaN
      if (Number.isNaN(value)) continue
      sum += value
      means += mean
      count += 1
    }
    return count === 0 ? Number.NaN : merge(overall, sum / count, means / count)
  })
}

/**
 * Heat through a valve by slots, only up to a common factor: from its meter (m³/h·K), or from the floor area and the excess
 * temperature of its emitters (m²·K^n). Empty if a sensor is missing.
 */
function findHeat(
  { deviceId, areaM2 }: PartConsumer,
  means: SlotMeans,
  roomC: Float64Array,
  isMetered: boolean,
): Float64Array[] {
  const [supplyC, returnC] = [means(deviceId, 'temp.supply'), means(deviceId, 'temp.return')]
  if (!supplyC || !returnC) return []
  const flow = means(deviceId, 'heat.flow')
  if (isMetered)
    return flow ? [flow.map((m3H, slot) => m3H * ((supplyC[slot] ?? 0) - (returnC[slot] ?? 0)))] : []
  const heat = supplyC.map((supply, slot) => {
    const room = roomC[slot] ?? Number.NaN
    const inside = Number.isNaN(room) ? ASSUMED_ROOM_C : room
    const [inlet, outlet] = [supply - inside, (returnC[slot] ?? Number.NaN) - inside]
    if (Number.isNaN(inlet + outlet)) return Number.NaN
    return inlet > 0 && outlet > 0 ? (areaM2 ?? 1) * logMeanDifference(inlet, outlet) ** EXPONENT : 0
  })
  return [heat]
}

/**
 * History of the mean room behind consumers, of the weather at their station and of their heat, by slots. The heat comes from
 * meters only if every consumer has one, because the two units must not mix.
 */
export function toRoomHistory(
  stationId: number,
  consumers: readonly PartConsumer[],
  means: SlotMeans,
  slot: { readonly count: number; readonly stepS: number },
): RoomHistory {
  const rooms = consumers.flatMap(({ rooms: behind }) =>
    behind.flatMap(({ deviceId }) => means(deviceId, 'temp.room') ?? []),
  )
  const roomC = join(rooms, slot.count, (overall, present, usual) => overall + present - usual)
  const isMetered = consumers.every(({ deviceId }) => means(deviceId, 'heat.flow') !== undefined)
  const heats = consumers.flatMap((consumer) => findHeat(consumer, means, roomC, isMetered))
  return {
    stepS: slot.stepS,
    roomC,
    outdoorC: means(stationId, 'temp.outdoor') ?? new Float64Array(slot.count).fill(Number.NaN),
    heat: join(heats, slot.count, (overall, present, usual) => (overall * present) / usual),
  }
}
