import { hasMosquitto } from '../apps/server/src/platform/mqtt/mosquitto.testkit.ts'
import type { Bench, BenchResult } from './bench.ts'
import { measureBackup } from './operations/backup.ts'
import { measureRollingRestart } from './operations/rolling-restart.ts'
import { onEngines } from './server/own-server.ts'

async function run(): Promise<BenchResult> {
  const backup = await onEngines(measureBackup)
  const restart = hasMosquitto ? await onEngines(measureRollingRestart) : undefined
  return {
    figures: {
      backup_10m_readings_s: backup.backupS,
      backup_ingest_slowdown: 1 - backup.busyPerS / backup.calmPerS,
      restore_s: backup.restoreS,
      ...(restart && {
        rolling_restart_lost: restart.lost,
        rolling_restart_failed_commands: restart.failedCommands,
      }),
    },
    peers: [
      {
        figure: 'backup_ingest_slowdown',
        label: 'single readings/s without a backup',
        value: backup.calmPerS,
      },
    ],
    notes: [
      `${backup.readings} readings, encrypted and checked; meanwhile 20 clients send single readings as fast as they are acknowledged: ${backup.busyPerS.toFixed(0)}/s`,
      'restore: the check of the backup, and empty engines on the same machine',
      restart
        ? `rolling restart: two replicas on a Mosquitto, one after the other in ${restart.restartS.toFixed(1)} s; 60,000 messages at 1,000/s and ${restart.orders} orders, each taken within ${restart.longestOrderMs.toFixed(0)} ms`
        : 'rolling restart: skipped, this machine has no mosquitto (npm run test:faults installs it on Debian)',
    ],
  }
}

export const bench: Bench = {
  name: 'operations',
  about:
    'a backup of ten million readings beside full ingest, its restore, and a rolling restart of two replicas',
  run,
}
