import type { RollupPart, RollupRun } from './rollup-types.ts'

const firstOf = ({ devices }: RollupPart): number => devices[0] ?? 0
export const lastOf = ({ devices }: RollupPart): number => devices.at(-1) ?? 0

/** The devices of a part between two ids, both included. */
export const narrow = (part: RollupPart, first: number, last: number): RollupPart => ({
  ...part,
  devices: [first, ...part.devices.filter((device) => device > first && device < last), last],
})

/** A part as one run. */
export const toRun = (part: RollupPart): RollupRun => ({
  fromS: part.fromS,
  toS: part.toS,
  firstDevice: firstOf(part),
  lastDevice: lastOf(part),
})

/** The smallest part that contains all given parts; at least one. */
export const unite = (parts: readonly RollupPart[]): RollupPart => ({
  fromS: parts.reduce((min, { fromS }) => Math.min(min, fromS), Number.POSITIVE_INFINITY),
  toS: parts.reduce((max, { toS }) => Math.max(max, toS), 0),
  devices: parts.flatMap(({ devices }) => devices).sort((a, b) => a - b),
})

/** Splits a part into runs with about the same number of devices each; fewer runs if it has fewer ids. */
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
