import { hasMosquitto } from '../apps/server/src/platform/mqtt/mosquitto.testkit.ts'
import type { Bench, BenchResult } from './bench.ts'
import { measureBackup } from './operations/backup.ts'
import { measureBrokerFailover } from './operations/broker-failover.ts'
import { measureFailover } from './operations/failover.ts'
import { hasPatroni } from './operations/patroni.ts'
import { hasRabbitCluster } from './operations/rabbit-cluster.ts'
import { measureRollingRestart } from './operations/rolling-restart.ts'
import { onEngines } from './server/own-server.ts'

async function run(): Promise<BenchResult> {
  const backup = await onEngines(measureBackup)
  const restart = hasMosquitto ? await onEngines(measureRollingRestart) : undefined
  const failover = hasPatroni ? await measureFailover() : undefined
  const broker = hasRabbitCluster ? await measureBrokerFailover() : undefined
  return {
    figures: {
      backup_10m_readings_s: backup.backupS,
      backup_ingest_slowdown: 1 - backup.busyPerS / backup.calmPerS,
      restore_s: backup.restoreS,
      ...(restart && {
        rolling_restart_lost: restart.lost,
        rolling_restart_failed_commands: restart.failedCommands,
      }),
      ...(failover && { failover_s: failover.longestS, failover_lost: failover.lost }),
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
      failover
        ? `failover: a node of PostgreSQL and its Patroni killed at once; ${failover.orders} orders, ${failover.refused} of them refused meanwhile; PUBACK of 99 in 100 within ${failover.pubackP99Ms.toFixed(0)} ms`
        : 'failover: skipped, this machine lacks patroni, etcd-server, haproxy or postgresql of Debian (npm run test:faults installs them)',
      broker
        ? `broker: one of three RabbitMQ nodes killed, the one with the session of the server; ${broker.lost} of 60,000 messages and ${broker.orders} orders lost, ${broker.refused} orders refused; longest time without a PUBACK ${broker.silentS.toFixed(1)} s, without a confirmed command ${broker.longestS.toFixed(1)} s`
        : 'broker: skipped, this machine lacks rabbitmq-server or haproxy of Debian (npm run test:faults installs them)',
    ],
  }
}

export const bench: Bench = {
  name: 'operations',
  about:
    'a backup of ten million readings beside full ingest, its restore, a rolling restart of two replicas, and failovers of PostgreSQL and the broker',
  run,
}
