import { type Finding, ok, warning } from './finding.ts'

/** A page asks several questions one after the other, and a call may take 5 s. */
const SLOW_MS = 500

/** States that an engine answers, and how long one question took if that is long. */
export function judgeAnswer(name: string, version: string, tookMs: number): Finding {
  if (tookMs < SLOW_MS) return ok(`${name}: answers, version ${version}`)
  return warning(
    `${name}: answers after ${(tookMs / 1_000).toFixed(1)} s, version ${version}: pages are slow, and calls may fail`,
    'look at the load and the disk of its machine, and at the network to it',
  )
}
