import type {
  Readings,
  ReadSeries,
} from '../../../apps/server/src/modules/balancing/measurements/readings.ch.ts'
import type {
  SlotMeans,
  SlotSpan,
} from '../../../apps/server/src/modules/balancing/measurements/slot-means.ch.ts'
import type { ValveSteps } from '../../../apps/server/src/modules/balancing/settling/responses.ch.ts'
import { stationSignals, valveSignals } from '../plant/instruments.ts'
import type { Site } from '../plant/site.ts'
import { buildingOf, STATION_ID, sensorId, valveId } from './registry.ts'

/** Unix time at the start of a run, ms: 20 January 2026, 00:00 UTC. */
const EPOCH_MS = Date.UTC(2026, 0, 20)

export const toUnixMs = (timeS: number): number => EPOCH_MS + 1000 * timeS
/** The present instant of a site, Unix ms. */
export const nowOf = ({ plant }: Site): number => toUnixMs(plant.timeS)

const NONE: ReadSeries = { ts: [], value: [] }

/** Row of a device's signal, or undefined if it has none. */
function findRow(count: number, sensors: number, deviceId: number, metric: string): number | undefined {
  if (deviceId === STATION_ID) {
    const names: readonly string[] = stationSignals
    const at = names.indexOf(metric)
    return at < 0 ? undefined : valveSignals.length * count + sensors + at
  }
  const building = buildingOf(deviceId)
  if (building >= 0 && building < count) {
    const names: readonly string[] = valveSignals
    const block = names.indexOf(metric)
    return block < 0 ? undefined : block * count + building
  }
  const sensor = deviceId - sensorId(0)
  const isRoom = metric === 'temp.room' && sensor >= 0 && sensor < sensors
  return isRoom ? valveSignals.length * count + sensor : undefined
}

/** All readings later than `from` and up to now, as the server gets them from its history. */
export function readSince({ plant, instruments, shown }: Site, from: number): Readings {
  const { stepS } = plant.weather
  const [count, sensors] = [instruments.supplyK.length, instruments.sensorFlats.length]
  // Step k is shown at (k + 1)·stepS.
  const first = Math.max(0, Math.floor((from - EPOCH_MS) / 1000 / stepS))
  const ts = Array.from({ length: Math.max(0, shown.length - first) }, (_, at) =>
    toUnixMs((first + at + 1) * stepS),
  )
  return (deviceId, metric) => {
    const row = findRow(count, sensors, deviceId, metric)
    if (row === undefined) return NONE
    const [at, value]: [number[], number[]] = [[], []]
    for (let step = first; step < shown.length; step++) {
      const reading = shown[step]?.[row] ?? Number.NaN
      const when = ts[step - first] ?? 0
      if (Number.isNaN(reading) || when <= from) continue
      at.push(when)
      value.push(reading)
    }
    return { ts: at, value }
  }
}

/** Means of slots of a time range. */
export function readSlots(site: Site, { from, to, slotMs }: SlotSpan): SlotMeans {
  const { plant, instruments, shown } = site
  const { stepS } = plant.weather
  const [valves, sensors] = [instruments.supplyK.length, instruments.sensorFlats.length]
  const count = Math.ceil((to - from) / slotMs)
  const first = Math.max(0, Math.floor((from - EPOCH_MS) / 1000 / stepS))
  // Step k is shown at (k + 1)·stepS.
  const slots = Int32Array.from({ length: Math.max(0, shown.length - first) }, (_, at) => {
    const past = toUnixMs((first + at + 1) * stepS) - from
    return past <= 0 ? -1 : Math.min(count - 1, Math.floor(past / slotMs))
  })
  return (deviceId, metric) => {
    const row = findRow(valves, sensors, deviceId, metric)
    if (row === undefined) return undefined
    const [sums, counts] = [new Float64Array(count), new Float64Array(count)]
    let isAny = false
    for (const [at, slot] of slots.entries()) {
      const value = shown[first + at]?.[row] ?? Number.NaN
      if (slot < 0 || Number.isNaN(value)) continue
      isAny = true
      sums[slot] = (sums[slot] ?? 0) + value
      counts[slot] = (counts[slot] ?? 0) + 1
    }
    // Without readings 0/0 is NaN.
    return isAny ? sums.map((sum, slot) => sum / (counts[slot] ?? 0)) : undefined
  }
}

/** Openings and returns of valves since an instant, by device. */
export function readResponsesSince(site: Site, from: number): ReadonlyMap<number, ValveSteps> {
  const readings = readSince(site, from)
  return new Map(
    site.plant.motors.flatMap((_, building): [number, ValveSteps][] => {
      const deviceId = valveId(building)
      const [opening, back] = [readings(deviceId, 'valve.opening'), readings(deviceId, 'temp.return')]
      return opening.ts.length === 0
        ? []
        : [[deviceId, { at: opening.ts, openingPct: opening.value, returnC: back.value }]]
    }),
  )
}
