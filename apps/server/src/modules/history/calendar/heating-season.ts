/** A day of the year. */
export interface MonthDay {
  /** From 1. */
  readonly month: number
  readonly day: number
}

/** Days of the year between which it is heated, both included; they may lie in two years. */
export interface HeatingSeason {
  readonly first: MonthDay
  readonly last: MonthDay
}

function toMonthDay(text: string): MonthDay {
  const [month = 0, day = 0] = text.split('-').map(Number)
  return { month, day }
}

/** Reads a text of the form `11-15/03-15`, which the configuration has checked. */
export function toHeatingSeason(text: string): HeatingSeason {
  const [first = '', last = ''] = text.split('/')
  return { first: toMonthDay(first), last: toMonthDay(last) }
}
