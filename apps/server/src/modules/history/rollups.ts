import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { LocalDays } from './local-time.ts'
import { splitPart, toRun, unite } from './rollup-parts.ts'
import type { RollupLevel, RollupMarks, RollupPart, RollupStore } from './rollup-store.ts'

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
const PASS_MS = 60_000
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

  /** Throws when it is to end, so that nothing is noted as done. */
  async function make(level: RollupLevel, part: RollupPart, storedSinceS?: number): Promise<void> {
    if (closing) throw new ClosingError()
    const rows = await store.countRows(level, toRun(part), storedSinceS)
    for (const run of splitPart(part, Math.ceil(rows / rowsAtOnce))) {
      if (closing) throw new ClosingError()
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

  /** Makes the days that end between two instants up to which the hours are made, and notes that they are. */
  async function closeUpTo(next: RollupMarks, beforeS: number): Promise<void> {
    const [fromS, toS] = [startOfDayS(beforeS), startOfDayS(next.closedS)]
    for (const part of toS > fromS ? await store.findBetween(fromS, toS) : []) {
      await make('days', { ...part, fromS: startOfDayS(part.fromS), toS: endOfDayS(part.toS - 1) })
    }
    await store.writeMarks(next)
    marks = next
  }

  async function readOrBegin(keptSinceS: number, storedS: number): Promise<RollupMarks> {
    const found = await store.readMarks()
    if (found) return found
    // None at all, or of another zone: a day of one zone is not one of another.
    await store.forgetAll()
    return { closedS: keptSinceS, storedS }
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
    const closedS = Math.max(before.closedS, Math.floor((nowS - GRACE_S) / HOUR_S) * HOUR_S)
    let madeS = before.closedS
    for (const part of await store.findBetween(before.closedS, closedS)) {
      await make('hours', part)
      // A month at a time, so that a long way is not begun anew. What was stored meanwhile is found as late.
      await closeUpTo({ closedS: part.toS, storedS: before.storedS }, madeS)
      madeS = part.toS
    }
    await closeUpTo({ closedS, storedS: engineNowS }, madeS)
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
