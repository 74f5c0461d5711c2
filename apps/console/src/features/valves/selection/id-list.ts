import { MAX_TARGETS } from '@isotherm/contract/command'

/** Maximum number of chosen valves of a page: as many as one order may have. */
export const MAX_CHOSEN = MAX_TARGETS

/** Lists up to this length keep their order. Longer lists are written as sorted runs. */
const ORDERED = 20
/** Shortest run. Fewer ids are written one by one. */
const MIN_RUN = 3
const TOKEN = /^(?<first>[1-9]\d{0,14})(?:-(?<last>[1-9]\d{0,14})(?:\.(?<step>[1-9]\d{0,5}))?)?$/

/** Ids with an equal step as text: `7`, `7-12` or, with a step of 3, `7-16.3`. */
function toRun(first: number, step: number, count: number): string {
  if (count === 1) return String(first)
  const last = first + step * (count - 1)
  return step === 1 ? `${first}-${last}` : `${first}-${last}.${step}`
}

/** Ascending ids as runs. Valves of one building often have neighbouring ids, or ids at equal steps because of the meters between them. */
function toRuns(ids: readonly number[]): readonly string[] {
  const runs: string[] = []
  let at = 0
  while (at < ids.length) {
    const first = ids[at] ?? 0
    const step = (ids[at + 1] ?? first + 1) - first
    let end = at + 1
    while (end < ids.length && (ids[end] ?? 0) - (ids[end - 1] ?? 0) === step) end += 1
    const count = end - at >= MIN_RUN ? end - at : 1
    runs.push(toRun(first, step, count))
    at += count
  }
  return runs
}

/** Device ids as text for the address of a page. */
export const toIdsText = (ids: readonly number[]): string =>
  ids.length <= ORDERED ? ids.join(',') : toRuns(ids.toSorted((a, b) => a - b)).join(',')

/** The ids of such a text, each once, at most MAX_CHOSEN. Invalid parts are left out. */
export function parseIds(text: string | null): readonly number[] {
  const ids = new Set<number>()
  for (const token of (text ?? '').split(',')) {
    const { first, last, step } = TOKEN.exec(token)?.groups ?? {}
    if (first === undefined) continue
    for (let id = Number(first); id <= Number(last ?? first); id += Number(step ?? 1)) {
      if (ids.size >= MAX_CHOSEN) return [...ids]
      ids.add(id)
    }
  }
  return [...ids]
}
