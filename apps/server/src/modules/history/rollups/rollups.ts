import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { type PollLoop, startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import type { LocalDays } from '../calendar/local-days.ts'
import { lastOf, narrow, splitPart, toRun, unite } from './rollup-parts.ts'
import {
  countRollupRows,
  dropDays,
  findBetween,
  findLate,
  findOtherZone,
  type RollupBuild,
  readEngineTime,
  readMarks,
  writeMarks,
} from './rollup-queries.ch.ts'
import type { RollupLevel, RollupMarks, RollupPart, RollupRun } from './rollup-types.ts'

export interface RollupOptions {
  readonly client: ClickHouseClient
  /** Time zone of the days, a validated IANA name. */
  readonly zone: string
  /** Builds the rollups of a run; see buildRollups. */
  readonly build: (build: RollupBuild) => Promise<void>
  readonly days: Pick<LocalDays, 'startOfDay' | 'startOfNextDay'>
  readonly clock: Clock
  readonly log: Log
  /**
   * Rows that one statement reads. It takes a second or two with one thread; the server gives up a statement after 30
   * s.
   */
  readonly rowsAtOnce?: number
  /** Oldest instant with complete readings, Unix ms. Older rollups stay unchanged. */
  readonly retainedSince?: (nowMs: number) => number
  /** Runs after each pass, on the replica that built it. */
  readonly afterPass?: () => Promise<void>
}

/**
 * Rollups of the readings by hour and day. They are built when an hour is over, and again when late readings of it are
 * stored.
 */
export interface Rollups {
  /** End of the rollups, Unix ms, a whole hour; undefined before the first pass. */
  closedMs(): number | undefined
  /**
   * Builds the rollups for readings that were stored since the last pass. Only one runs at a time; it can be repeated
   * and interrupted anywhere.
   */
  pass(): Promise<void>
  /** Starts regular passes, unless another replica makes them. */
  start(): void
  close(): Promise<void>
}

const HOUR_S = 3_600
const PASS_MS = MINUTE_MS
const FIRST_PASS_MS = 3_000
/** Time after the end of an hour for the last readings of its devices. Later ones cause a rebuild. */
const GRACE_S = 120
/** An insert that started before a pass can become visible after it. The store gives up an insert after 30 s. */
const OVERLAP_S = 120
const ROWS_AT_ONCE = 1_000_000
/** Late readings are mostly younger than this. They are found by hour, so that not the whole day is read. */
const BY_HOUR_S = 2 * 86_400

/** A server whose last pass is older has ended. */
const ENDED_S = 3_600

/** The server is closing. The next pass of any replica continues. */
class ClosingError extends Error {
  override readonly name = 'ClosingError'
}

export function createRollups(options: RollupOptions): Rollups {
  const { client, zone, days, clock, log } = options
  const { rowsAtOnce = ROWS_AT_ONCE, retainedSince = () => 0, afterPass = async () => undefined } = options
  let marks: RollupMarks | undefined
  let loop: PollLoop | undefined
  let running: Promise<void> | undefined
  let closing = false
  let healthy = true

  const count = (level: RollupLevel, part: RollupPart, storedSinceS?: number): Promise<number> =>
    countRollupRows(client, zone, { level, run: toRun(part), storedSinceS })

  /** Splits a part into runs. Throws when the server closes, so that no unfinished work is recorded as done. */
  async function* split(
    level: RollupLevel,
    part: RollupPart,
    storedSinceS?: number,
  ): AsyncGenerator<RollupRun, void> {
    if (closing) throw new ClosingError()
    const rows = await count(level, part, storedSinceS)
    for (const run of splitPart(part, Math.ceil(rows / rowsAtOnce))) {
      if (closing) throw new ClosingError()
      yield run
    }
  }

  async function build(level: RollupLevel, part: RollupPart, storedSinceS?: number): Promise<void> {
    for await (const run of split(level, part, storedSinceS)) {
      await options.build({ level, run, storedSinceS })
    }
  }

  const startOfDayS = (atS: number): number => Math.max(0, days.startOfDay(atS * 1000) / 1000)
  const endOfDayS = (atS: number): number => days.startOfNextDay(atS * 1000) / 1000

  /**
   * The parts of a month, or all of them as one where the engine reads no more rows for it. A month that devices send
   * again is stored with all hours of a device together: each hour would read all of it.
   */
  async function joinParts(
    level: RollupLevel,
    parts: readonly RollupPart[],
    storedSinceS: number,
  ): Promise<readonly RollupPart[]> {
    const whole = unite(parts)
    const rows = await count(level, whole, storedSinceS)
    if (rows <= rowsAtOnce) return [whole]
    let apart = 0
    for (const part of parts) {
      apart += await count(level, part, storedSinceS)
      if (apart >= rows) return [whole]
    }
    return parts
  }

  async function buildMonth(level: RollupLevel, parts: readonly RollupPart[], storedSinceS: number) {
    for (const part of parts.length > 1 ? await joinParts(level, parts, storedSinceS) : parts)
      await build(level, part, storedSinceS)
  }

  /** Builds the hours with late readings, then the complete days that contain them. */
  async function buildLate(
    late: readonly RollupPart[],
    closedS: number,
    storedSinceS: number,
  ): Promise<void> {
    const toMonth = ({ fromS }: RollupPart) => new Date(fromS * 1000).toISOString().slice(0, 7)
    for (const parts of Map.groupBy(late, toMonth).values()) {
      await buildMonth('hours', parts, storedSinceS)
      const byDay = [...Map.groupBy(parts, ({ fromS }) => startOfDayS(fromS))].map(([fromS, ofDay]) => ({
        ...unite(ofDay),
        fromS,
        toS: endOfDayS(fromS),
      }))
      const over = byDay.filter(({ toS }) => toS <= closedS)
      if (over.length > 0) await buildMonth('days', over, storedSinceS)
    }
  }

  async function note(next: RollupMarks): Promise<RollupMarks> {
    await writeMarks(client, zone, next)
    marks = next
    return next
  }

  /**
   * Builds the hours of a month for devices from `device` on, and the days that end in them, range by range. Records
   * each step, so that the next pass can continue after an interruption.
   */
  async function closePart(part: RollupPart, before: RollupMarks, device: number): Promise<RollupMarks> {
    const { closedS, storedS } = before
    const days = { ...part, fromS: startOfDayS(closedS), toS: startOfDayS(part.toS) }
    let firstDevice = device
    for await (const run of split('hours', part)) {
      await options.build({ level: 'hours', run })
      // Includes devices that only have readings before this month.
      if (days.toS > days.fromS) await build('days', narrow(days, firstDevice, run.lastDevice))
      firstDevice = run.lastDevice + 1
      if (run.lastDevice < lastOf(part)) {
        await writeMarks(client, zone, { closedS, storedS, begun: { toS: part.toS, device: run.lastDevice } })
      }
    }
    return note({ closedS: part.toS, storedS })
  }

  /** Completes a step that a former pass started. */
  async function resume({ begun, ...before }: RollupMarks): Promise<RollupMarks> {
    if (!begun) return before
    const parts = await findBetween(client, before.closedS, begun.toS)
    const part = parts.find(({ toS }) => toS === begun.toS)
    if (!part) return before
    const first = begun.device + 1
    return closePart(narrow(part, first, lastOf(part)), before, first)
  }

  async function readOrStart(retainedSinceS: number, engineNowS: number): Promise<RollupMarks> {
    const [found, other] = await Promise.all([
      readMarks(client, zone),
      findOtherZone(client, zone, engineNowS - ENDED_S),
    ])
    // Two servers that started on empty stores at once have both begun: one of them goes on.
    if (other !== undefined && (!found || other < zone))
      throw new Error(
        `the stores have days of ${other}, built by a server in the last hour: ISOTHERM_TIME_ZONE must be the same for all servers`,
      )
    if (found) return found
    // There are no rollups, or they are of another time zone: days of one zone are not days of another.
    await dropDays(client)
    const first = { closedS: retainedSinceS, storedS: engineNowS }
    await writeMarks(client, zone, first)
    return first
  }

  async function passOnce(): Promise<void> {
    const nowS = Math.floor(clock.now() / 1000)
    const retainedSinceS = Math.ceil(retainedSince(clock.now()) / 1000 / HOUR_S) * HOUR_S
    const engineNowS = await readEngineTime(client)
    const before = await readOrStart(retainedSinceS, engineNowS)
    marks = before.closedS > retainedSinceS ? before : undefined
    const lateSinceS = Math.max(0, before.storedS - OVERLAP_S)
    const late = await findLate(client, zone, {
      storedSinceS: lateSinceS,
      fromS: retainedSinceS,
      toS: before.closedS,
      byHourFromS: nowS - BY_HOUR_S,
    })
    await buildLate(late, before.closedS, lateSinceS)
    let built = await resume(before)
    const closedS = Math.max(built.closedS, Math.floor((nowS - GRACE_S) / HOUR_S) * HOUR_S)
    // Readings that are stored meanwhile are found as late ones.
    for (const part of await findBetween(client, built.closedS, closedS))
      built = await closePart(part, built, 0)
    const [fromS, toS] = [startOfDayS(built.closedS), startOfDayS(closedS)]
    for (const part of toS > fromS ? await findBetween(client, fromS, toS) : []) {
      await build('days', { ...part, fromS: startOfDayS(part.fromS), toS: endOfDayS(part.toS - 1) })
    }
    // If a step was started before this pass, rows that were stored since then count as late.
    await note({ closedS, storedS: before.begun ? before.storedS : engineNowS })
  }

  function pass(): Promise<void> {
    running ??= passOnce().finally(() => {
      running = undefined
    })
    return running
  }

  /** Whether another replica has just built a pass. */
  async function isDone(): Promise<boolean> {
    const [found, engineNowS] = await Promise.all([readMarks(client, zone), readEngineTime(client)])
    if (!found || engineNowS - found.writtenS >= PASS_MS / 2000) return false
    marks = found
    return true
  }

  async function passUnlessDone(): Promise<void> {
    if (!(await isDone())) {
      await pass()
      await afterPass()
    }
    healthy = true
  }

  function reportFailure(error: unknown): void {
    if (error instanceof ClosingError) return
    if (healthy) log.error({ err: error }, 'cannot build the rollups, retrying')
    healthy = false
  }

  return {
    closedMs: () => marks && marks.closedS * 1000,
    pass,
    start() {
      loop = startPollLoop({
        clock,
        firstMs: FIRST_PASS_MS,
        pauseMs: PASS_MS,
        work: passUnlessDone,
        onError: reportFailure,
      })
    },
    async close() {
      closing = true
      await loop?.close()
    },
  }
}
