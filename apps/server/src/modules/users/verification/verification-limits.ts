import { HOUR_MS } from '@isotherm/kernel/durations'

/** How long a code is valid. */
export const CODE_LIFE_MS = 5 * 60 * 1000
/** How often a code may be tried. */
export const TRIES = 5

/** How long sent codes are retained to count them. */
export const RETAIN_CODES_MS = HOUR_MS

interface Limit {
  readonly max: number
  readonly withinMs: number
}

/** Limits per telephone number: against floods of messages and against guessing by ever new codes. */
const perNumber: readonly Limit[] = [
  { max: 1, withinMs: 60 * 1000 },
  { max: 5, withinMs: HOUR_MS },
]
/** Limit per caller: messages cost money. */
const perCaller: readonly Limit[] = [{ max: 100, withinMs: HOUR_MS }]

export interface SentCode {
  readonly tel: string
  /** Unix ms. */
  readonly sentAt: number
}

function toWaitOf(sent: readonly SentCode[], { max, withinMs }: Limit, now: number): number {
  const recent = sent.map(({ sentAt }) => sentAt).filter((sentAt) => sentAt > now - withinMs)
  const oldest = recent.toSorted((left, right) => right - left)[max - 1]
  return oldest === undefined ? 0 : oldest + withinMs - now
}

/** Time until another code may be sent, ms; 0 if it may be sent now. */
export function toWaitMs(
  sent: { readonly toNumber: readonly SentCode[]; readonly byCaller: readonly SentCode[] },
  now: number,
): number {
  return Math.max(
    ...perNumber.map((limit) => toWaitOf(sent.toNumber, limit, now)),
    ...perCaller.map((limit) => toWaitOf(sent.byCaller, limit, now)),
  )
}
