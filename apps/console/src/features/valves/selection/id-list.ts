import { MOST_TARGETS } from '@isotherm/contract/command'

/** Most valves a page keeps chosen: as many as one order may name. */
export const MOST_CHOSEN = MOST_TARGETS

/** Lists up to this long keep their order; of longer ones only what is in them counts. */
const ORDERED = 20
/** Fewer ids than this are not worth writing as a run. */
const LEAST_RUN = 3
const TOKEN = /^(?<first>[1-9]\d{0,14})(?:-(?<last>[1-9]\d{0,14})(?:\.(?<step>[1-9]\d{0,5}))?)?$/

/** Ids an equal step apart, as text: `7`, `7-12` or, a step of 3 apart, `7-16.3`. */
function toRun(first: number, step: number, count: number): string {
  if (count === 1) return String(first)
  const last = first + step * (count - 1)
  return step === 1 ? `${first}-${last}` : `${first}-${last}.${step}`
}

/** Ascending ids in runs. Valves of one building are often neighbours, or meters stand between them. */
function toRuns(ids: readonly number[]): readonly string[] {
  const runs: string[] = []
  let at = 0
  while (at < ids.length) {
    const first = ids[at] ?? 0
    const step = (ids[at + 1] ?? first + 1) - first
    let end = at + 1
    while (end < ids.length && (ids[end] ?? 0) - (ids[end - 1] ?? 0) === step) end += 1
    const count = end - at >= LEAST_RUN ? end - at : 1
    runs.push(toRun(first, step, count))
    at += count
  }
  return runs
}

/** Device ids as a page's address holds them. */
export const toIdsText = (ids: readonly number[]): string =>
  ids.length <= ORDERED ? ids.join(',') : toRuns(ids.toSorted((a, b) => a - b)).join(',')

/** The ids of such a text, once each and at most as many as may be chosen; what is none is left out. */
export function parseIds(text: string | null): readonly number[] {
  const ids = new Set<number>()
  for (const token of (text ?? '').split(',')) {
    const { first, last, step } = TOKEN.exec(token)?.groups ?? {}
    if (first === undefined) continue
    for (let id = Number(first); id <= Number(last ?? first); id += Number(step ?? 1)) {
      if (ids.size >= MOST_CHOSEN) return [...ids]
      ids.add(id)
    }
  }
  return [...ids]
}
