import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** A reading of a valve: its opening, %, or its flow, m³/h. Instants are Unix ms. */
export interface ValveReading {
  readonly ts: number
  readonly metric: 'opening' | 'flow'
  /** Undefined: the device was under maintenance, so the value is no evidence of water for the field. */
  readonly value: number | undefined
}

/** Water of a valve during [fromMs, toMs). */
export interface Opening {
  readonly fromMs: number
  readonly toMs: number
  readonly volumeM3: number
  /** Part of the volume by the meter of the valve; the rest is by its stated flow. */
  readonly measuredM3: number
}

/** When a step of a run had the valve. */
export interface OwnTime {
  readonly openedMs: number
  /** Infinity: it has it still. */
  readonly closedMs: number
}

/** A valve that is silent for longer is not known to have stayed open: valves report each quarter of an hour, some each hour. */
export const MAX_SILENCE_MS = 2 * HOUR_MS
/** Readings of so long before a day explain what was open when it began. */
export const BEFORE_MS = DAY_MS
/** Openings that follow each other within this time are one. */
const GAP_MS = 2 * MINUTE_MS
/** Clocks of valves and of the server differ by less: telemetry corrects the clock of a gateway from two minutes on. */
const SKEW_MS = 3 * MINUTE_MS
/** Openings are cut at this time of the day (UTC): noon in China, when least is watered. */
const CUT_MS = 4 * HOUR_MS

/** The last instant until then at which openings are cut. */
export const toCut = (ms: number): number => Math.floor((ms - CUT_MS) / DAY_MS) * DAY_MS + CUT_MS

/** A time at which a valve was open, and since when it had not reported that it is shut. */
interface OpenTime extends Opening {
  readonly beganMs: number
}

/** Each time between two readings at which the valve was open. A valve under maintenance is not: somebody tries it. */
function* findOpenTimes(readings: readonly ValveReading[], statedM3H: number): Generator<OpenTime> {
  let lastMs = 0
  /** Since when it has not reported that it is shut. */
  let beganMs: number | undefined
  /** The last opening, %, while it is known that the valve is open. */
  let openPct: number | undefined
  let flowM3H: number | undefined
  for (const { ts, metric, value } of readings) {
    if (openPct !== undefined && beganMs !== undefined && ts - lastMs <= MAX_SILENCE_MS) {
      const volumeM3 = ((flowM3H ?? (statedM3H * openPct) / 100) * (ts - lastMs)) / HOUR_MS
      const measuredM3 = flowM3H === undefined ? 0 : volumeM3
      if (ts > lastMs) yield { beganMs, fromMs: lastMs, toMs: ts, volumeM3, measuredM3 }
    } else {
      openPct = undefined
      // The next opening has a flow of its own.
      flowM3H = undefined
    }
    lastMs = ts
    if (metric === 'flow') {
      if (openPct !== undefined && value !== undefined) flowM3H = Math.max(0, value)
    } else if (value !== undefined && value > OPENING_TOLERANCE_PCT) {
      beganMs ??= ts
      openPct = value
    } else {
      beganMs = undefined
      openPct = undefined
      flowM3H = undefined
    }
  }
}

/** The parts of a time between cuts. */
function* cut(time: OpenTime): Generator<OpenTime> {
  const lengthMs = time.toMs - time.fromMs
  for (let fromMs = time.fromMs; fromMs < time.toMs; ) {
    const toMs = Math.min(time.toMs, toCut(fromMs) + DAY_MS)
    const share = (toMs - fromMs) / lengthMs
    const [volumeM3, measuredM3] = [time.volumeM3 * share, time.measuredM3 * share]
    yield { beganMs: time.beganMs, fromMs, toMs, volumeM3, measuredM3 }
    fromMs = toMs
  }
}

/** Adds a time to the last of a list if it follows within `gapMs` in the same day. */
function append(times: OpenTime[], time: OpenTime, gapMs: number): void {
  const last = times.at(-1)
  if (!last || time.fromMs > last.toMs + gapMs || toCut(last.fromMs) !== toCut(time.fromMs)) times.push(time)
  else
    times[times.length - 1] = {
      ...last,
      toMs: time.toMs,
      volumeM3: last.volumeM3 + time.volumeM3,
      measuredM3: last.measuredM3 + time.measuredM3,
    }
}

/** When a valve was open in the day from a cut on. */
function findOfDay(
  readings: readonly ValveReading[],
  dayMs: number,
  flowM3H: number,
  own: readonly OwnTime[],
) {
  const openings: OpenTime[] = []
  for (const time of findOpenTimes(readings, flowM3H))
    for (const part of cut(time))
      if (toCut(part.fromMs) === dayMs)
        append(openings, part, openings.at(-1)?.beganMs === part.beganMs ? 0 : -1)
  const isOwn = ({ beganMs, toMs }: OpenTime): boolean =>
    own.some(({ openedMs, closedMs }) => beganMs < closedMs + SKEW_MS && toMs > openedMs - SKEW_MS)
  const found: OpenTime[] = []
  for (const opening of openings) if (!isOwn(opening)) append(found, opening, GAP_MS)
  return found.map(({ fromMs, toMs, volumeM3, measuredM3 }) => ({ fromMs, toMs, volumeM3, measuredM3 }))
}

/**
 * When a valve was open in [from, to) without a run, earliest first; `from` and `to` are cuts. Readings are in the order of their time,
 * from `from - BEFORE_MS` to `to + MAX_SILENCE_MS`. Each day is found by itself, so it is the same in any span. An opening that is not
 * over is known until its last reading. One of which a run had any part belongs to the run, also what was reported after a silence.
 */
export function findOpenings(
  readings: readonly ValveReading[],
  { flowM3H, own, from, to }: { flowM3H: number; own: readonly OwnTime[]; from: number; to: number },
): readonly Opening[] {
  const openings: Opening[] = []
  for (let dayMs = from; dayMs < to; dayMs += DAY_MS) {
    const untilMs = dayMs + DAY_MS + MAX_SILENCE_MS
    const ofDay = readings.filter(({ ts }) => ts >= dayMs - BEFORE_MS && ts < untilMs)
    openings.push(...findOfDay(ofDay, dayMs, flowM3H, own))
  }
  return openings
}
