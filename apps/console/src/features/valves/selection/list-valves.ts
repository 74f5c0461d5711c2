import type { Device } from '@isotherm/contract/devices'

/** Maximum number of valves in a list. More would need too much memory in a browser. */
export const MAX_VALVES = 100_000

/** The valves listed so far, in tree order; none if `total` exceeds MAX_VALVES. */
export interface Valves {
  readonly devices: readonly Device[]
  readonly total: number
  /** True if the list is complete. */
  readonly isWhole: boolean
}

export const noValves: Valves = { devices: [], total: 0, isWhole: false }

export const areTooMany = ({ total }: Pick<Valves, 'total'>): boolean => total > MAX_VALVES

/** Reads a page of valves, from 1, with the total number. */
type ReadPage = (page: number) => Promise<{ readonly datalist: readonly Device[]; readonly total: number }>

/** Lists valves page by page. */
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
