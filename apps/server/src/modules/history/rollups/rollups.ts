import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { LocalDays } from '../calendar/local-days.ts'
import { lastOf, narrow, splitPart, toRun, unite } from './rollup-parts.ts'
import type { RollupLevel, RollupMarks, RollupPart, RollupRun, RollupStore } from './rollup-store.ts'

export interface RollupOptions {
  readonly store: RollupStore
  readonly days: Pick<LocalDays, 'startOfDay' | 'startOfNextDay'>
  readonly clock: Clock
  readonly log: Log
  /** Rows that one statement reads: a second or two of one thread, for one of 30 s is given up. */
  readonly rowsAtOnce?: number
  /** Oldest instant of which the readings are whole, Unix ms: what is older is left as it was made. */
  readonly keptSince?: (nowMs: number) => number
  /** What else is to be done once after each pass, by whichever replica passed. */
  readonly afterPass?: () => Promise<void>
}

/** Hours and days of the readings, made when an hour is over and again whenever readings of it are stored later. */
export interface Rollups {
  /** Up to where the rollups are made, Unix ms, a whole hour; undefined before the first pass. */
  closedMs(): number | undefined
  /** Takes in what was stored since the last pass. One at a time; may be repeated and broken off anywhere. */
  pass(): Promise<void>
  /** Passes from now on, as long as no other replica does. */
  start(): void
  close(): Promise<void>
}

const HOUR_S = 3_600
const PASS_MS = MINUTE_MS
const FIRST_PASS_MS = 3_000
/** Before it is made, an hour waits for what its devices send at its end. Later readings make it anew. */
const GRACE_S = 120
/** An insert that began before a pass may show after it: the store gives one up after 30 s. */
const OVERLAP_S = 120
const ROWS_AT_ONCE = 1_000_000
/** What came late is mostly this young: an hour of it does not make all of its day be read. */
const BY_HOUR_S = 2 * 86_400

/** The server is closing; what was not made is made by the next pass of whichever. */
class ClosingError extends Error {
  override readonly name = 'ClosingError'
}

export function createRollups(options: RollupOptions): Rollups {
  const { store, days, clock, log } = options
  const { rowsAtOnce = ROWS_AT_ONCE, keptSince = () => 0, afterPass = async () => undefined } = options
  let marks: RollupMarks | undefined
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let closing = false
  let healthy = true

  /** A part in runs that are made one after the other. Throws when it is to end, so that nothing is noted as done. */
  async function* split(
    level: RollupLevel,
    part: RollupPart,
    storedSinceS?: number,
  ): AsyncGenerator<RollupRun, void> {
    if (closing) throw new ClosingError()
    const rows = await store.countRows(level, toRun(part), storedSinceS)
    for (const run of splitPart(part, Math.ceil(rows / rowsAtOnce))) {
      if (closing) throw new ClosingError()
      yield run
    }
  }

  async function make(level: RollupLevel, part: RollupPart, storedSinceS?: number): Promise<void> {
    for await (const run of split(level, part, storedSinceS)) {
      await (level === 'hours' ? store.makeHours(run, storedSinceS) : store.makeDays(run, storedSinceS))
    }
  }

  const startOfDayS = (atS: number): number => Math.max(0, days.startOfDay(atS * 1000) / 1000)
  const endOfDayS = (atS: number): number => days.startOfNextDay(atS * 1000) / 1000

  /** All of a month at once where that is little to be read; else by day or hour, so that nothing between is. */
  async function makeMonth(level: RollupLevel, parts: readonly RollupPart[], storedSinceS: number) {
    const whole = unite(parts)
    const rows = parts.length > 1 ? await store.countRows(level, toRun(whole), storedSinceS) : 0
    for (const part of rows > rowsAtOnce ? parts : [whole]) await make(level, part, storedSinceS)
  }

  /** The hours, and then those of their days that are over. */
  async function makeLate(late: readonly RollupPart[], closedS: number, storedSinceS: number): Promise<void> {
    const toMonth = ({ fromS }: RollupPart) => new Date(fromS * 1000).toISOString().slice(0, 7)
    for (const parts of Map.groupBy(late, toMonth).values()) {
      await makeMonth('hours', parts, storedSinceS)
      const byDay = [...Map.groupBy(parts, ({ fromS }) => startOfDayS(fromS))].map(([fromS, ofDay]) => ({
        ...unite(ofDay),
        fromS,
        toS: endOfDayS(fromS),
      }))
      const over = byDay.filter(({ toS }) => toS <= closedS)
      if (over.length > 0) await makeMonth('days', over, storedSinceS)
    }
  }

  async function note(next: RollupMarks): Promise<RollupMarks> {
    await store.writeMarks(next)
    marks = next
    return next
  }

  /**
   * Makes the hours of a month, or of devices of it from `device` on, and the days that end in them, of some devices after
   * the others, and notes each: the next pass goes on where one breaks off.
   */
  async function closePart(part: RollupPart, before: RollupMarks, device: number): Promise<RollupMarks> {
    const { closedS, storedS } = before
    const days = { ...part, fromS: startOfDayS(closedS), toS: startOfDayS(part.toS) }
    let firstDevice = device
    for await (const run of split('hours', part)) {
      await store.makeHours(run)
      // Of devices too that have readings before this month only.
      if (days.toS > days.fromS) await make('days', narrow(days, firstDevice, run.lastDevice))
      firstDevice = run.lastDevice + 1
      if (run.lastDevice < lastOf(part)) {
        await store.writeMarks({ closedS, storedS, begun: { toS: part.toS, device: run.lastDevice } })
      }
    }
    return note({ closedS: part.toS, storedS })
  }

  /** Brings to its end what a pass broke off in. */
  async function goOn({ begun, ...before }: RollupMarks): Promise<RollupMarks> {
    if (!begun) return before
    const parts = await store.findBetween(before.closedS, begun.toS)
    const part = parts.find(({ toS }) => toS === begun.toS)
    if (!part) return before
    const first = begun.device + 1
    return closePart(narrow(part, first, lastOf(part)), before, first)
  }

  async function readOrBegin(keptSinceS: number, storedS: number): Promise<RollupMarks> {
    const found = await store.readMarks()
    if (found) return found
    // None at all, or of another zone: a day of one zone is not one of another.
    await store.forgetAll()
    const first = { closedS: keptSinceS, storedS }
    await store.writeMarks(first)
    return first
  }

  async function passOnce(): Promise<void> {
    const nowS = Math.floor(clock.now() / 1000)
    const keptSinceS = Math.ceil(keptSince(clock.now()) / 1000 / HOUR_S) * HOUR_S
    const engineNowS = await store.engineNowS()
    const before = await readOrBegin(keptSinceS, engineNowS)
    marks = before.closedS > keptSinceS ? before : undefined
    const lateSinceS = Math.max(0, before.storedS - OVERLAP_S)
    const late = await store.findLate(lateSinceS, keptSinceS, before.closedS, nowS - BY_HOUR_S)
    await makeLate(late, before.closedS, lateSinceS)
    let made = await goOn(before)
    const closedS = Math.max(made.closedS, Math.floor((nowS - GRACE_S) / HOUR_S) * HOUR_S)
    // What is stored meanwhile is found as late.
    for (const part of await store.findBetween(made.closedS, closedS)) made = await closePart(part, made, 0)
    const [fromS, toS] = [startOfDayS(made.closedS), startOfDayS(closedS)]
    for (const part of toS > fromS ? await store.findBetween(fromS, toS) : []) {
      await make('days', { ...part, fromS: startOfDayS(part.fromS), toS: endOfDayS(part.toS - 1) })
    }
    // Of what was begun before this pass the rows count as late that were stored since then.
    await note({ closedS, storedS: before.begun ? before.storedS : engineNowS })
  }

  function pass(): Promise<void> {
    running ??= passOnce().finally(() => {
      running = undefined
    })
    return running
  }

  /** Whether another replica has passed just now. */
  async function isDone(): Promise<boolean> {
    const [found, engineNowS] = await Promise.all([store.readMarks(), store.engineNowS()])
    if (!found || engineNowS - found.writtenS >= PASS_MS / 2000) return false
    marks = found
    return true
  }

  async function passUnlessDone(): Promise<void> {
    try {
      if (!(await isDone())) {
        await pass()
        await afterPass()
      }
      healthy = true
    } catch (error) {
      if (error instanceof ClosingError) return
      if (healthy) log.error({ err: error }, 'cannot make the rollups, retrying')
      healthy = false
    }
    schedule(PASS_MS)
  }

  function schedule(delayMs: number): void {
    if (closing) return
    timer = clock.setTimeout(() => {
      passing = passUnlessDone()
    }, delayMs)
  }
  let passing: Promise<void> = Promise.resolve()

  return {
    closedMs: () => marks && marks.closedS * 1000,
    pass,
    start: () => schedule(FIRST_PASS_MS),
    async close() {
      closing = true
      timer?.cancel()
      await passing
    },
  }
}
