import { createRandom, type Random } from '@isotherm/kernel/random'
import type { InstrumentFaults } from '../foreign/plant/instruments.ts'
import { blockMotors, clogStrainer } from '../foreign/plant/plant.ts'
import type { Site } from '../foreign/plant/site.ts'

const DAY_S = 86_400

/** Instrument faults that can grow. */
export interface GrowingFaults extends InstrumentFaults {
  readonly strapped: Set<number>
  readonly zeroMeters: Set<number>
  readonly offline: Set<number>
  readonly honest: Set<number>
}

export const noFaults = (): GrowingFaults => ({
  isMetered: true,
  strapped: new Set(),
  zeroMeters: new Set(),
  offline: new Set(),
  honest: new Set(),
  invertedReports: new Set(),
  invertedDrives: new Set(),
  feedbackPct: new Map(),
})

/** Changes a site and its faults at an instant, s since its start. */
interface WearEvent {
  readonly atS: number
  readonly apply: (site: Site, faults: GrowingFaults) => unknown
}

/** Faults that come during a season: the same in every run of a seed, in the order of time. */
export type Wear = readonly WearEvent[]

/** Number of buildings of 100 with each kind of fault, and shares of the room sensors. */
const CLOGGING = 8
const STICKING = 5
const LOOSE_SENSORS = 4
const DEAD_METERS = 2
const SILENT = 4
const DEAD_ROOM_SENSORS = 0.05
const DRIFTING_ROOM_SENSORS = 0.03
/** A silent valve answers again after this time. */
const SILENT_S = 4 * DAY_S
/** A drifting room sensor shows this too much or too little, K. */
const DRIFT_K = 2
/** Daily growth of the resistance of a strainer: 2 to 4 % double it in 18 to 35 days. It ends when it has grown 12 times. */
const CLOG = { min: 0.02, max: 0.04, ends: 12 } as const

const pick = (random: Random, from: number, count: number): number[] => {
  const drawn = new Set<number>()
  while (drawn.size < Math.min(from, count)) drawn.add(Math.floor(random() * from))
  return [...drawn]
}

/** A strainer that clogs day by day. */
function clogDaily(building: number, fromS: number, byDay: number, untilS: number): WearEvent[] {
  const days = Math.min((untilS - fromS) / DAY_S, Math.log(CLOG.ends) / Math.log(byDay))
  return Array.from({ length: Math.max(0, Math.floor(days)) }, (_, day) => ({
    atS: fromS + day * DAY_S,
    apply: ({ plant }) => clogStrainer(plant, building, byDay),
  }))
}

/** Draws the faults of a season by seed. */
export function drawWear(
  seed: number,
  {
    buildings,
    sensors,
    days,
  }: { readonly buildings: number; readonly sensors: number; readonly days: number },
): Wear {
  const random = createRandom(1000 * seed + 51)
  const untilS = days * DAY_S
  const once = (
    from: number,
    count: number,
    apply: (site: Site, faults: GrowingFaults, place: number, isOdd: boolean) => unknown,
  ): WearEvent[] =>
    pick(random, from, count).map((place, index) => ({
      atS: random() * untilS,
      apply: (site, faults) => apply(site, faults, place, index % 2 === 1),
    }))
  const clogs = pick(random, buildings, CLOGGING).flatMap((building) =>
    clogDaily(building, 0.7 * random() * untilS, 1 + CLOG.min + (CLOG.max - CLOG.min) * random(), untilS),
  )
  const sticking = once(buildings, STICKING, ({ plant }, faults, building, isOdd) => {
    blockMotors(plant, new Set([building]))
    if (isOdd) faults.honest.add(building)
  })
  const loose = once(buildings, LOOSE_SENSORS, (_, { strapped }, building) => strapped.add(building))
  const dead = once(buildings, DEAD_METERS, (_, { zeroMeters }, building) => zeroMeters.add(building))
  const silent = pick(random, buildings, SILENT).flatMap((building): WearEvent[] => {
    const atS = random() * untilS
    return [
      { atS, apply: (_, { offline }) => offline.add(building) },
      { atS: atS + SILENT_S, apply: (_, { offline }) => offline.delete(building) },
    ]
  })
  const rooms = [
    ...once(sensors, DEAD_ROOM_SENSORS * sensors, ({ instruments }, _, sensor) => {
      instruments.roomK[sensor] = Number.NaN
    }),
    ...once(sensors, DRIFTING_ROOM_SENSORS * sensors, ({ instruments }, _, sensor, isOdd) => {
      instruments.roomK[sensor] = (instruments.roomK[sensor] ?? 0) + (isOdd ? DRIFT_K : -DRIFT_K)
    }),
  ]
  return [...clogs, ...sticking, ...loose, ...dead, ...silent, ...rooms].toSorted(
    (one, other) => one.atS - other.atS,
  )
}
