import type { Device } from '@isotherm/contract/devices'

/** More valves than this are not listed: a browser could hold them no more, and nobody would look through them. */
export const MOST_VALVES = 100_000

/** Valves in tree order, as far as they were listed by now; none where they are more than MOST_VALVES. */
export interface Valves {
  readonly devices: readonly Device[]
  readonly total: number
  /** No more will be listed. */
  readonly isWhole: boolean
}

export const noValves: Valves = { devices: [], total: 0, isWhole: false }

export const areTooMany = ({ total }: Pick<Valves, 'total'>): boolean => total > MOST_VALVES

/** A page of the valves, from 1, and how many there are in all. */
type ReadPage = (page: number) => Promise<{ readonly datalist: readonly Device[]; readonly total: number }>

/** Valves page by page. */
export async function* listValves(readPage: ReadPage): AsyncGenerator<Valves> {
  let listed = 0
  for (let page = 1; ; page++) {
    const { datalist, total } = await readPage(page)
    listed += datalist.length
    const isWhole = areTooMany({ total }) || datalist.length === 0 || listed >= total
    yield { devices: areTooMany({ total }) ? [] : datalist, total, isWhole }
    if (isWhole) return
  }
}
