import type { RoomHistory } from '@isotherm/balancing/rooms/time-constant'
import { weightedMean } from '@isotherm/kernel/statistics'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import type { PartConsumer } from '../../now/cache-by-loop.ts'
import type { SlotMeans } from './slot-means.ch.ts'

/** n of radiators: a little wrong for floors, whose heat then follows a little too steeply. */
const EXPONENT = 1.3
/** Where a slot has no room, °C. */
const ASSUMED_ROOM_C = 20

/** Series as one, each as it stands beside its own mean by `beside`, so that nothing jumps where one of them is missing. */
function join(
  series: readonly Float64Array[],
  slots: number,
  beside: (sum: number, usual: number) => number,
): Float64Array {
  const usual = series.map((values) => weightedMean(values) ?? Number.NaN)
  const known = series.map((values, index) => ({ values, mean: usual[index] ?? Number.NaN }))
  const all = weightedMean(usual) ?? Number.NaN
  return Float64Array.from({ length: slots }, (_, slot) => {
    let [sum, means, count] = [0, 0, 0]
    for (const { values, mean } of known) {
      const value = values[slot] ?? Number.NaN
      if (Number.isNaN(value)) continue
      sum += value
      means += mean
      count += 1
    }
    return count === 0 ? Number.NaN : all * beside(sum / count / all, means / count / all)
  })
}

/** Heat through a valve in a unit that is the same for all: by its meter, or by how its emitters stand above the rooms. */
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

/** What rooms behind consumers, the weather at their station and their heat did, by slots. */
export function toRoomHistory(
  stationId: number,
  consumers: readonly PartConsumer[],
  means: SlotMeans,
  slot: { readonly count: number; readonly stepS: number },
): RoomHistory {
  const rooms = consumers.flatMap(({ rooms: behind }) =>
    behind.flatMap(({ deviceId }) => means(deviceId, 'temp.room') ?? []),
  )
  const roomC = join(rooms, slot.count, (sum, usual) => 1 + sum - usual)
  const isMetered = consumers.every(({ deviceId }) => means(deviceId, 'heat.flow') !== undefined)
  const heats = consumers.flatMap((consumer) => findHeat(consumer, means, roomC, isMetered))
  return {
    stepS: slot.stepS,
    roomC,
    outdoorC: means(stationId, 'temp.outdoor') ?? new Float64Array(slot.count).fill(Number.NaN),
    heat: join(heats, slot.count, (sum, usual) => sum / usual),
  }
}
