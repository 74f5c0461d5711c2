import { createTimeZone } from '../../platform/time-zone.ts'
import { toHeatingSeason } from '../history/index.ts'

/** The heating season of the installation. */
export interface Season {
  /** First and last day as MM-DD. */
  readonly first: string
  readonly last: string
  isAt(ms: number): boolean
}

/** @param text such as `11-15/03-15`; @param zone IANA name */
export function createSeason(text: string, zone: string): Season {
  const { toLocal } = createTimeZone(zone)
  const season = toHeatingSeason(text)
  const [first = '', last = ''] = text.split('/')
  const begin = season.first.month * 100 + season.first.day
  const end = season.last.month * 100 + season.last.day
  return {
    first,
    last,
    isAt(ms) {
      const local = new Date(toLocal(ms))
      const day = (local.getUTCMonth() + 1) * 100 + local.getUTCDate()
      return begin <= end ? day >= begin && day <= end : day >= begin || day <= end
    },
  }
}
