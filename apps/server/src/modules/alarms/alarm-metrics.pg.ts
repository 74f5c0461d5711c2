import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../platform/postgres/database.pg.ts'

export interface AlarmMetricsNeeds {
  readonly db: Database
  /** Number of changes that are not stored yet. */
  readonly waiting: () => number
}

/** A failed read must not hide the other metrics; /readyz reports the database. */
const nothing = (): undefined => undefined

/** Adds the metrics of alarms. */
export function addAlarmMetrics(registry: Registry, { db, waiting }: AlarmMetricsNeeds): void {
  new Gauge({
    name: 'isotherm_alarms_open',
    help: 'Alarms that have not ended, by severity',
    labelNames: ['severity'],
    registers: [registry],
    async collect() {
      const counts = await sql<{ severity: string; count: number }>`
        select severity, count(*) from alarm where state <> 'ended' group by severity`
        .execute(db)
        .catch(nothing)
      this.reset()
      for (const { severity, count } of counts?.rows ?? []) this.set({ severity }, count)
    },
  })
  new Gauge({
    name: 'isotherm_alarm_notices',
    help: 'Alarm notices that wait to be sent, or that failed',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await sql<{ waiting: number; givenUp: number }>`
        select count(*) filter (where state = 'waiting') as waiting,
          count(*) filter (where state = 'given-up') as "givenUp"
        from alarm_notice where state <> 'sent'`
        .execute(db)
        .catch(nothing)
      this.reset()
      if (!counts) return
      this.set({ state: 'waiting' }, counts.rows[0]?.waiting ?? 0)
      this.set({ state: 'given-up' }, counts.rows[0]?.givenUp ?? 0)
    },
  })
  new Gauge({
    name: 'isotherm_alarm_changes_waiting',
    help: 'Changes of alarms that are not stored yet',
    registers: [registry],
    collect() {
      this.set(waiting())
    },
  })
}
