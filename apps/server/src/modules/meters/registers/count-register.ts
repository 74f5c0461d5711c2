import type { SegmentStart } from '@isotherm/contract/endpoints/monitoring/meters'

/** Accepted readings of an energy register on one day, kWh. */
export interface RegisterDay {
  readonly device: number
  /** Day number of the plant. */
  readonly day: number
  readonly first: number
  readonly last: number
  readonly min: number
  readonly max: number
  /** Whether the highest reading is before the lowest. */
  readonly fell: boolean
  /** Readings of the operating hours; NaN if the meter reports none. */
  readonly firstHours: number
  readonly lastHours: number
  readonly minHours: number
  readonly maxHours: number
}

/** Days without readings between two days with readings. */
export interface Gap {
  /** Day numbers; `to` is the day after. */
  readonly from: number
  readonly to: number
  readonly kwh: number
  /**
   * True after a change of the meter: no register difference covers the gap, so it is estimated from the days before.
   */
  readonly isGuess: boolean
}

/** One run of a register without a change. */
export interface Segment {
  readonly begins: SegmentStart
  readonly from: number
  to: number
  readonly firstKwh: number
  lastKwh: number
}

export interface RegisterCount {
  /** Heat of the days with readings, kWh: from the first reading of the day to that of the next day. */
  readonly measured: ReadonlyMap<number, number>
  readonly gaps: readonly Gap[]
  readonly segments: readonly Segment[]
}

/**
 * Plausibility rule R5 (packages/contract/src/alarms/finding.ts): two steps of 0.01 GJ. A fall of that size is
 * jitter.
 */
export const JITTER_KWH = 6
const GJ = 1 / 0.0036
/** Registers of six digits roll over: kWh, GJ and MWh. */
const CAPACITIES_KWH = [1e6, 1e6 * GJ, 1e9]
const NEAR_END = 0.9
const NEAR_START = 0.1
/** A new meter starts near 0. */
const NEW_METER = 0.02
/** Days before a change of the meter whose mean replaces the days without readings. */
const DAYS_OF_MEAN = 7

type Step =
  | { readonly kind: 'grown'; readonly kwh: number }
  | { readonly kind: 'rollover'; readonly kwh: number }
  | { readonly kind: 'meter-change' }
  | { readonly kind: 'fall' }

function judge(before: number, now: number, isNewMeter: boolean): Step {
  if (now >= before) return { kind: 'grown', kwh: now - before }
  if (before - now <= JITTER_KWH) return { kind: 'grown', kwh: 0 }
  const capacity = CAPACITIES_KWH.find(
    (end) => before >= NEAR_END * end && before <= end && now <= NEAR_START * end,
  )
  if (capacity !== undefined) return { kind: 'rollover', kwh: now + capacity - before }
  return { kind: isNewMeter && now <= NEW_METER * before ? 'meter-change' : 'fall' }
}

/**
 * Counts the heat of a meter, and of those that it replaced, from its days in order of time. A register that falls
 * rolled over, belongs to a new meter, or is wrong; a wrong value counts nothing until the register is above the last
 * good one. No step is negative.
 */
export function countRegister(days: readonly RegisterDay[]): RegisterCount {
  const measured = new Map<number, number>()
  const gaps: Gap[] = []
  const segments: Segment[] = []
  let before: RegisterDay | undefined
  /** Last good value; jitter does not lower it. */
  let level = Number.NaN
  const add = (day: number, kwh: number): void => {
    measured.set(day, (measured.get(day) ?? 0) + kwh)
  }
  const open = (begins: SegmentStart, day: number, kwh: number): void => {
    segments.push({ begins, from: day, to: day, firstKwh: kwh, lastKwh: kwh })
    level = kwh
  }
  const extend = (day: number, kwh: number): void => {
    const segment = segments.at(-1)
    level = Math.max(level, kwh)
    if (segment) segment.to = day
    if (segment) segment.lastKwh = level
  }
  const recentMean = (day: number): number => {
    const recent = [...measured].filter(([each]) => each < day).slice(-DAYS_OF_MEAN - 1, -1)
    return recent.length === 0 ? 0 : recent.reduce((sum, [, kwh]) => sum + kwh, 0) / recent.length
  }

  /** From the last value of the day before to the first one of this day. False if the day is wrong. */
  function enter(day: RegisterDay, earlier: RegisterDay): boolean {
    const isOther = day.device !== earlier.device
    const isNewMeter = day.minHours <= NEW_METER * earlier.lastHours
    const step: Step = isOther ? { kind: 'meter-change' } : judge(level, day.first, isNewMeter)
    const hasGap = day.day > earlier.day + 1
    if (step.kind === 'fall') {
      if (segments.at(-1)?.begins !== 'fall')
        segments.push({ begins: 'fall', from: day.day, to: day.day, firstKwh: day.first, lastKwh: level })
      return false
    }
    const gap = { from: earlier.day + 1, to: day.day }
    if (step.kind === 'meter-change') {
      const kwh = recentMean(day.day) * (gap.to - gap.from)
      if (hasGap) gaps.push({ ...gap, kwh, isGuess: true })
      open('meter-change', day.day, day.first)
      return true
    }
    if (hasGap) gaps.push({ ...gap, kwh: step.kwh, isGuess: false })
    else add(earlier.day, step.kwh)
    if (step.kind === 'rollover') open('rollover', day.day, day.first)
    level = Math.max(level, day.first)
    return true
  }

  for (const day of days) {
    if (before === undefined) open('first', day.day, day.first)
    else if (!enter(day, before)) continue
    before = day
    const isFall = day.fell && day.max - day.min > JITTER_KWH
    if (!isFall) {
      add(day.day, Math.max(0, day.last - level))
      extend(day.day, day.last)
      continue
    }
    add(day.day, Math.max(0, day.max - level))
    extend(day.day, day.max)
    const step = judge(level, day.min, day.minHours <= NEW_METER * day.maxHours)
    if (step.kind === 'fall') continue
    if (step.kind === 'rollover') add(day.day, step.kwh)
    if (step.kind !== 'grown') open(step.kind, day.day, day.min)
    add(day.day, Math.max(0, day.last - level))
    extend(day.day, day.last)
  }
  return { measured, gaps, segments }
}
