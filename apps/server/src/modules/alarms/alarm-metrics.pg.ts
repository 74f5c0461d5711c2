import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../platform/postgres/database.pg.ts'

export interface AlarmMetricsNeeds {
  readonly db: Database
  /** Changes that are not put down yet. */
  readonly waiting: () => number
}

/** While the store is away the other metrics are wanted all the more; /readyz says that it is. */
const nothing = (): undefined => undefined

/** Figures of the alarms for whoever watches the server. */
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
    help: 'Messages of alarms that wait to be sent, or were given up',
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
    help: 'Changes of alarms that are not put down yet',
    registers: [registry],
    collect() {
      this.set(waiting())
    },
  })
}
