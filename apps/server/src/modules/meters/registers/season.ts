import { toDate } from './plant-days.ts'

interface MonthDay {
  readonly month: number
  readonly day: number
}

/** First and last day of heating, both included; they may be in different years. */
export interface Season {
  readonly first: MonthDay
  readonly last: MonthDay
}

const toNumber = ({ month, day }: MonthDay): number => month * 100 + day
const pad = (value: number): string => String(value).padStart(2, '0')

/** First day of the heating season that contains a day: 2026-11-15; undefined for a day outside of it. */
export function findSeasonStart({ first, last }: Season, day: number): string | undefined {
  const date = toDate(day)
  const number = Number(date.slice(5, 7)) * 100 + Number(date.slice(8, 10))
  const [begin, end] = [toNumber(first), toNumber(last)]
  const year = Number(date.slice(0, 4))
  const isIn = begin <= end ? number >= begin && number <= end : number >= begin || number <= end
  return isIn ? `${number >= begin ? year : year - 1}-${pad(first.month)}-${pad(first.day)}` : undefined
}
