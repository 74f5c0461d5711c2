import { createRandom } from '@isotherm/kernel/random'
import type { InstrumentFaults } from '../plant/instruments.ts'
import type { FaultShares } from './case-list.ts'

/** Buildings with faults by seed. */
export interface DrawnFaults {
  readonly blocked: ReadonlySet<number>
  /** Valves that report 100 − p for an order p. */
  readonly inverted: ReadonlySet<number>
  readonly instruments: InstrumentFaults
}

/** Draws a share of all buildings. Each kind of fault has its own stream, so one does not change the other. */
function draw(seed: number, offset: number, count: number, wanted: number): Set<number> {
  const random = createRandom(1000 * seed + offset)
  const drawn = new Set<number>()
  while (drawn.size < Math.min(count, wanted)) drawn.add(Math.floor(random() * count))
  return drawn
}

/** Errors of reported openings of 10 to 20 percentage points, too large or too small. */
function drawFeedback(seed: number, buildings: ReadonlySet<number>): ReadonlyMap<number, number> {
  const random = createRandom(1000 * seed + 39)
  return new Map(
    [...buildings].map((building) => [building, (random() < 0.5 ? -1 : 1) * (10 + 10 * random())]),
  )
}

/** Faults of a case. Every second blocked valve measures its position and so does not confirm its command. */
export function drawFaults(
  seed: number,
  count: number,
  {
    strapped = 0,
    blocked = 0,
    offline = 0,
    zeroMeters = 0,
    invertedReports = 0,
    invertedDrives = 0,
    invertedBoth = 0,
    feedback = 0,
  }: FaultShares,
  isMetered: boolean,
): DrawnFaults {
  const both = draw(seed, 37, count, Math.round(invertedBoth * count))
  const stuck = draw(seed, 32, count, Math.round(blocked * count))
  const reports = draw(seed, 35, count, Math.round(invertedReports * count))
  const drives = draw(seed, 36, count, Math.round(invertedDrives * count))
  return {
    blocked: stuck,
    inverted: new Set(
      [...reports, ...drives].filter((b) => !both.has(b) && reports.has(b) !== drives.has(b)),
    ),
    instruments: {
      isMetered,
      strapped: draw(seed, 31, count, Math.round(strapped * count)),
      offline: draw(seed, 33, count, Math.round(offline * count)),
      zeroMeters: draw(seed, 34, count, zeroMeters),
      honest: new Set([...stuck].filter((_, index) => index % 2 === 1)),
      invertedReports: new Set([...both, ...reports]),
      invertedDrives: new Set([...both, ...drives]),
      feedbackPct: drawFeedback(seed, draw(seed, 38, count, Math.round(feedback * count))),
    },
  }
}
