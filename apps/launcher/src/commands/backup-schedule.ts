import { readdir } from 'node:fs/promises'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { isDatedInFuture, readBackupTime } from '@isotherm/kernel/machine/backup-name'
import { EXIT_TRY_LATER } from '@isotherm/kernel/machine/exit-codes'

const TICK_MS = MINUTE_MS / 2
/** Time until a failed backup is tried again. */
const RETRY_MS = 15 * MINUTE_MS

/** Time of the zone's clock as if it were UTC, Unix ms. */
function toLocal(now: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  })
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * The latest instant up to `now` (Unix ms) at which the clock of the zone showed `at` (`02:30`). On the day of a clock change
 * it may be an hour off.
 */
export function findLastDue(now: number, at: string, timeZone: string): number {
  const second = now - (now % 1_000)
  const local = toLocal(second, timeZone)
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const due = local - (local % DAY_MS) + (hours * 60 + minutes) * MINUTE_MS
  return second - local + (due > local ? due - DAY_MS : due)
}

/**
 * Instant of the newest backup in the folder, Unix ms, from its name; undefined if there is none. One that is dated in the
 * future does not count: it would prevent all backups until then.
 */
export async function findNewestBackup(folder: string, now: number): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => [])
  const times = names.map(readBackupTime).filter((at) => at !== undefined && !isDatedInFuture(at, now))
  return times.toSorted().at(-1)
}

export interface BackupSchedule {
  readonly folder: string
  /** Local time of the daily backup: `02:30`. */
  readonly at: string
  readonly timeZone: string
  /** Makes a backup; resolves with its exit code. */
  readonly run: () => Promise<number>
  readonly report: (line: string) => void
  readonly now?: () => number
}

/**
 * Decides whether a backup is due: none was made since the last daily time. So a machine that was off at that time makes it
 * after its start. A failed one is tried again after a quarter of an hour.
 */
export function createBackupSchedule({ folder, at, timeZone, run, report, now = Date.now }: BackupSchedule) {
  let triedAt = Number.NEGATIVE_INFINITY
  return {
    /** Makes a backup if one is due. */
    async check(): Promise<void> {
      const due = findLastDue(now(), at, timeZone)
      const newest = (await findNewestBackup(folder, now())) ?? Number.NEGATIVE_INFINITY
      if (newest >= due || Math.abs(now() - triedAt) < RETRY_MS) return
      triedAt = now()
      const code = await run()
      if (code === EXIT_TRY_LATER) report('the daily backup waits, another one runs')
      else if (code !== 0)
        report(`the daily backup failed; it is tried again in ${RETRY_MS / MINUTE_MS} minutes`)
    },
  }
}

/** Checks every half minute until the signal aborts. */
export function startBackupSchedule(options: BackupSchedule, signal: AbortSignal): void {
  const schedule = createBackupSchedule(options)
  const next = () => {
    if (signal.aborted) return
    schedule.check().then(
      () => setTimeout(next, TICK_MS).unref(),
      (error: unknown) => {
        options.report(`the daily backup failed: ${error instanceof Error ? error.message : error}`)
        setTimeout(next, TICK_MS).unref()
      },
    )
  }
  next()
}
