import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { TimeZone } from '../../../platform/time-zone.ts'

type Order = ReadingMapping['time']['order']

/** 2026-01-02, 2026/1/2, 2026.1.2, 2026年1月2日, 02.01.2026, each with an optional time of day and offset. */
const DATE = /^(\d{1,4})[-/.年](\d{1,2})[-/.月](\d{1,4})日?(?:[T\s]*(.*))?$/
const CLOCK =
  /^(\d{1,2})[:时](\d{1,2})(?:[:分](\d{1,2})(?:[.,](\d{1,3})\d*)?)?[分秒]?\s*(Z|[+-]\d{2}:?\d{2})?$/i
/** 20260102, 202601020304 and 20260102030405. */
const COMPACT = /^(20\d{2}|19\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?$/
const NUMBER = /^\d+(?:\.\d+)?$/
/** Days from 1899-12-30, day 0 of workbooks, to 1970. */
const WORKBOOK_EPOCH_DAYS = 25_569

/** Unix ms of a UTC clock that shows the date; undefined for a day that does not exist. */
function toDay(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day)
  const date = new Date(ms)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970 ? ms : undefined
}

function toOrdered(order: Order, parts: readonly [number, number, number]): number | undefined {
  const [first, second, third] = parts
  // Four digits at the start are a year, whatever the order of the others.
  if (order === 'ymd' || first > 31) return toDay(first, second, third)
  return order === 'dmy' ? toDay(third, second, first) : toDay(third, first, second)
}

interface Clock {
  readonly ms: number
  /** Of a time with an offset: local time minus UTC. */
  readonly offsetMs: number | undefined
}

function readClock(text: string): Clock | undefined {
  if (text === '') return { ms: 0, offsetMs: undefined }
  const [found, hours, minutes, seconds = '0', fraction = '', offset] = CLOCK.exec(text) ?? []
  if (found === undefined || Number(hours) > 24 || Number(minutes) > 59 || Number(seconds) > 60)
    return undefined
  const ms =
    Number(hours) * HOUR_MS +
    Number(minutes) * MINUTE_MS +
    Number(seconds) * 1_000 +
    Number(fraction.padEnd(3, '0'))
  if (offset === undefined) return { ms, offsetMs: undefined }
  if (offset.toUpperCase() === 'Z') return { ms, offsetMs: 0 }
  const size = Number(offset.slice(1, 3)) * HOUR_MS + Number(offset.slice(-2)) * MINUTE_MS
  return { ms, offsetMs: offset.startsWith('-') ? -size : size }
}

/** The time of day from a column of its own. A workbook stores it as a fraction of a day. */
function readClockCell(text: string): Clock | undefined {
  if (!NUMBER.test(text)) return readClock(text)
  return Number(text) < 1 ? { ms: Math.round(Number(text) * DAY_MS), offsetMs: undefined } : undefined
}

/** Whether a number is a day of a workbook, which is a local time: 20000 to 80000 are the years 1954 to 2119. */
const isWorkbookDay = (number: number): boolean => number >= 20_000 && number < 80_000

const fromWorkbookDay = (days: number): number => Math.round((days - WORKBOOK_EPOCH_DAYS) * DAY_MS)

/** Days of a workbook, or Unix time in s or ms. */
function readNumber(text: string, zone: TimeZone): number | undefined {
  const number = Number(text)
  if (isWorkbookDay(number)) return zone.toInstant(fromWorkbookDay(number))
  if (number >= 1e8 && number < 1e10) return Math.round(number * 1_000)
  return number >= 1e11 && number < 1e13 ? Math.round(number) : undefined
}

interface SplitDay {
  /** Unix ms of a UTC clock that shows the day; undefined for one that does not exist. */
  readonly dayMs: number | undefined
  readonly rest: string
}

/** The day that a text begins with, and what follows it; undefined for a text that begins with none. */
function splitDay(text: string, order: Order): SplitDay | undefined {
  const [compact, year, month, day, hours, minutes, seconds = '00'] = COMPACT.exec(text) ?? []
  const clock = hours === undefined ? '' : `${hours}:${minutes}:${seconds}`
  const whole = compact === undefined ? text : `${year}-${month}-${day} ${clock}`
  const [found, first, second, third, rest = ''] = DATE.exec(whole) ?? []
  if (found !== undefined)
    return { dayMs: toOrdered(order, [Number(first), Number(second), Number(third)]), rest: rest.trim() }
  const number = NUMBER.test(text) ? Number(text) : 0
  const isDay = isWorkbookDay(number) && Number.isInteger(number)
  return isDay ? { dayMs: fromWorkbookDay(number), rest: '' } : undefined
}

/**
 * The instant of a text, Unix ms; undefined for a text that is no time. `clock`: the cell with the time of day, if it
 * has a column of its own. If that cell is empty, the text must contain the time of day.
 */
export function parseTime(
  text: string,
  clock: string | undefined,
  order: Order,
  zone: TimeZone,
): number | undefined {
  const split = splitDay(text, order)
  if (!split) return !clock && NUMBER.test(text) ? readNumber(text, zone) : undefined
  const { dayMs, rest } = split
  if (clock === '' && rest === '') return undefined
  const time = clock ? readClockCell(clock) : readClock(rest)
  if (dayMs === undefined || time === undefined) return undefined
  const local = dayMs + time.ms
  return time.offsetMs === undefined ? zone.toInstant(local) : local - time.offsetMs
}
