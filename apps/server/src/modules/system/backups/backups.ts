import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { BackupAlarm, BackupRun, getBackups } from '@isotherm/contract/endpoints/administration/backups'
import { isDatedInFuture, MAX_BACKUP_AGE_MS } from '@isotherm/kernel/machine/backup-name'
import type { Clock } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { listProgramVersions } from '../../../platform/lifecycle/program-versions.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isOfProvider } from '../policy.ts'
import { type BackupState, isBackupRunning, listBackupRuns, readBackupState } from './backup-runs.pg.ts'

export interface BackupsDependencies {
  readonly db: Database
  readonly clock: Clock
  /** The demo has no backups and reports none as missing. */
  readonly mode: Config['mode']
}

/**
 * Judges the state of backups. A fault after the last success is reported instead of the age, because it says what to
 * repair.
 */
export function judgeBackups({ lastSuccess, lastFault }: BackupState, now: number): BackupAlarm | null {
  if (lastFault) return 'failed'
  if (!lastSuccess) return 'none'
  return now - lastSuccess.at > MAX_BACKUP_AGE_MS ? 'late' : null
}

type RunRow = Awaited<ReturnType<typeof listBackupRuns>>[number]

function toState({ ended_at, fault }: RunRow, isNewest: boolean, isRunning: boolean): BackupRun['state'] {
  if (ended_at !== null) return fault === null ? 'whole' : 'failed'
  return isNewest && isRunning ? 'running' : 'interrupted'
}

const toRun = (row: RunRow, isNewest: boolean, isRunning: boolean, now: number): BackupRun => ({
  id: row.id,
  state: toState(row, isNewest, isRunning),
  startedAt: row.started_at.getTime(),
  endedAt: row.ended_at?.getTime() ?? null,
  isFuture: isDatedInFuture(row.started_at.getTime(), now),
  name: row.name,
  bytes: row.bytes,
  rows: row.rows,
  checked: row.checked,
  encrypted: row.encrypted,
  fault: row.fault,
})

/** An upgrade that went wrong is looked up among the last few. */
const SHOWN_VERSIONS = 5

/** The backups of the installation, for provider staff. */
export const createBackups = ({ db, clock, mode }: BackupsDependencies) => ({
  async list(caller: Caller, { size }: InputOf<typeof getBackups>): Promise<OutputOf<typeof getBackups>> {
    if (!isOfProvider(caller))
      return { datalist: [], total: 0, alarm: null, lastWholeAt: null, versions: [], isReadable: false }
    const now = clock.now()
    const [rows, isRunning, state, versions] = await Promise.all([
      listBackupRuns(db, size),
      isBackupRunning(db),
      readBackupState(db, now),
      listProgramVersions(db, SHOWN_VERSIONS),
    ])
    return {
      datalist: rows.map((row, index) => toRun(row, index === 0, isRunning, now)),
      total: rows.length,
      alarm: mode === 'demo' ? null : judgeBackups(state, now),
      lastWholeAt: state.lastSuccess?.at ?? null,
      versions: versions.map(({ version, started_at }) => ({ version, since: started_at.getTime() })),
      isReadable: true,
    }
  },
})
