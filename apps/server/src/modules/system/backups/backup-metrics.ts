import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type BackupState, readBackupState } from './backup-runs.pg.ts'

/** Metrics of the last backups, read from the database when Prometheus reads them. */
export function addBackupMetrics(registry: Registry, db: Database, clock: Clock): void {
  const add = (name: string, help: string, toValue: (state: BackupState) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A failed read leaves out this value: the other metrics are needed most while the database is unavailable.
        const state = await readBackupState(db, clock.now()).catch(() => undefined)
        if (state) this.set(toValue(state))
      },
    })
  }
  add(
    'isotherm_backup_last_success_timestamp_seconds',
    'Start of the last successful backup, Unix s; 0 if there was none',
    ({ lastSuccess }) => (lastSuccess?.at ?? 0) / 1_000,
  )
  add(
    'isotherm_backup_failed',
    '1 if the last backup failed, 0 if it succeeded or there was none',
    ({ lastFault }) => (lastFault ? 1 : 0),
  )
}
