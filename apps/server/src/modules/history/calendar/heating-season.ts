/** A day of the year. */
export interface MonthDay {
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** First and last day of heating, both included. They may be in different years. */
export interface HeatingSeason {
  readonly first: MonthDay
  readonly last: MonthDay
}

function toMonthDay(text: string): MonthDay {
  const [month = 0, day = 0] = text.split('-').map(Number)
  return { month, day }
}

/** Parses a text such as `11-15/03-15`, which the configuration has validated. */
export function toHeatingSeason(text: string): HeatingSeason {
  const [first = '', last = ''] = text.split('/')
  return { first: toMonthDay(first), last: toMonthDay(last) }
}
