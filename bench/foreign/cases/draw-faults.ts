import { createRandom } from '@isotherm/kernel/random'
import type { InstrumentFaults } from '../plant/instruments.ts'
import type { FaultShares } from './case-list.ts'

/** Buildings with faults by seed. */
export interface DrawnFaults {
  readonly blocked: ReadonlySet<number>
  readonly instruments: InstrumentFaults
}

/** Draws a share of all buildings. Each kind of fault has its own stream, so one does not change the other. */
function draw(seed: number, offset: number, count: number, wanted: number): Set<number> {
  const random = createRandom(1000 * seed + offset)
  const drawn = new Set<number>()
  while (drawn.size < Math.min(count, wanted)) drawn.add(Math.floor(random() * count))
  return drawn
}

/** Faults of a case. Every second blocked valve measures its position and so does not confirm its command. */
export function drawFaults(
  seed: number,
  count: number,
  { strapped = 0, blocked = 0, offline = 0, zeroMeters = 0 }: FaultShares,
  isMetered: boolean,
): DrawnFaults {
  const stuck = draw(seed, 32, count, Math.round(blocked * count))
  return {
    blocked: stuck,
    instruments: {
      isMetered,
      strapped: draw(seed, 31, count, Math.round(strapped * count)),
      offline: draw(seed, 33, count, Math.round(offline * count)),
      zeroMeters: draw(seed, 34, count, zeroMeters),
      honest: new Set([...stuck].filter((_, index) => index % 2 === 1)),
    },
  }
}
