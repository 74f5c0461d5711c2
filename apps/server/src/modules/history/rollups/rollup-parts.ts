import type { RollupPart, RollupRun } from './rollup-store.ts'

const firstOf = ({ devices }: RollupPart): number => devices[0] ?? 0
export const lastOf = ({ devices }: RollupPart): number => devices.at(-1) ?? 0

/** Of a part the devices between two ids, both included, which bound it. */
export const narrow = (part: RollupPart, first: number, last: number): RollupPart => ({
  ...part,
  devices: [first, ...part.devices.filter((device) => device > first && device < last), last],
})

/** All of a part at once. */
export const toRun = (part: RollupPart): RollupRun => ({
  fromS: part.fromS,
  toS: part.toS,
  firstDevice: firstOf(part),
  lastDevice: lastOf(part),
})

/** What some parts, one at least, are of, and all that lies between them. */
export const unite = (parts: readonly RollupPart[]): RollupPart => ({
  fromS: parts.reduce((least, { fromS }) => Math.min(least, fromS), Number.POSITIVE_INFINITY),
  toS: parts.reduce((most, { toS }) => Math.max(most, toS), 0),
  devices: parts.flatMap(({ devices }) => devices).sort((a, b) => a - b),
})

/** A part in so many runs of about as many devices each, fewer where it has fewer ids. */
export function splitPart(part: RollupPart, runs: number): readonly RollupRun[] {
  const { devices, fromS, toS } = part
  const last = lastOf(part)
  const firsts = [firstOf(part)]
  for (let run = 1; run < runs; run += 1) {
    const at = (run / runs) * (devices.length - 1)
    const [low = last, high = last] = [devices[Math.floor(at)], devices[Math.ceil(at)]]
    const first = Math.ceil(low + (at % 1) * (high - low))
    if (first > (firsts.at(-1) ?? first)) firsts.push(first)
  }
  return firsts.map((firstDevice, index) => ({
    fromS,
    toS,
    firstDevice,
    lastDevice: (firsts[index + 1] ?? last + 1) - 1,
  }))
}
