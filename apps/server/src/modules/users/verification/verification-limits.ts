import { HOUR_MS } from '@isotherm/kernel/durations'

/** How long a code is good, and how often it may be tried. */
export const CODE_LIFE_MS = 5 * 60 * 1000
export const TRIES = 5

/** How long codes are kept to count them. */
export const KEEP_CODES_MS = HOUR_MS

interface Limit {
  readonly most: number
  readonly withinMs: number
}

/** A number is neither flooded nor are its codes guessed by having ever new ones sent. */
const perNumber: readonly Limit[] = [
  { most: 1, withinMs: 60 * 1000 },
  { most: 5, withinMs: HOUR_MS },
]
/** Messages cost money. */
const perCaller: readonly Limit[] = [{ most: 100, withinMs: HOUR_MS }]

export interface SentCode {
  readonly tel: string
  /** Unix ms. */
  readonly sentAt: number
}

function toWaitOf(sent: readonly SentCode[], { most, withinMs }: Limit, now: number): number {
  const recent = sent.map(({ sentAt }) => sentAt).filter((sentAt) => sentAt > now - withinMs)
  const oldest = recent.toSorted((left, right) => right - left)[most - 1]
  return oldest === undefined ? 0 : oldest + withinMs - now
}

/** How long to wait before a further code may be sent, ms; 0 when it may be now. */
export function toWaitMs(
  sent: { readonly toNumber: readonly SentCode[]; readonly byCaller: readonly SentCode[] },
  now: number,
): number {
  return Math.max(
    ...perNumber.map((limit) => toWaitOf(sent.toNumber, limit, now)),
    ...perCaller.map((limit) => toWaitOf(sent.byCaller, limit, now)),
  )
}
