import type { AlarmReportNotice } from '@isotherm/contract/alarms/alarms'
import type { ReportTimes } from '@isotherm/contract/alarms/notice-channels'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { ulid } from 'ulid'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { placedAlarms } from '../model/alarm-scope.pg.ts'
import { findLastSlot } from './times/report-slots.ts'

/**
 * Computes the figures of everything below a path for the last day or the last seven days, and for the days before
 * them.
 */
export type Summarize = (
  path: string,
  every: ReportTimes['every'],
) => Promise<Pick<AlarmReportNotice, 'from' | 'to' | 'reports'>>

/** A report that is later than this is not sent: the next one has newer figures. */
const MAX_LATE_MS = 12 * HOUR_MS

interface ReportTarget {
  readonly id: number
  readonly report: ReportTimes
  readonly reportedAt: Date | null
  readonly company: string
  readonly zone: string
  readonly path: string
  readonly nestaddr: string
}

interface DueReport extends ReportTarget {
  /** Instant at which the report is due, Unix ms. */
  readonly slot: number
}

async function listDue(db: Database, now: number): Promise<readonly DueReport[]> {
  const { rows } = await sql<ReportTarget>`
    select target.id, target.report, target.reported_at as "reportedAt", company.tenant as company,
      company.time_zone as zone, node.path, node.nestaddr
    from alarm_target target join company on company.id = target.company_id join node on node.id = target.node_id
    where target.enabled and target.report is not null and ${isServed('company.id')} order by target.id`.execute(
    db,
  )
  return rows.flatMap((target) => {
    const slot = findLastSlot(target.report, target.zone, now)
    const isDone = target.reportedAt !== null && target.reportedAt.getTime() >= slot
    return isDone || now - slot > MAX_LATE_MS ? [] : [{ ...target, slot }]
  })
}

/** Counts alarms below a path: those raised since an instant (Unix ms), and those that have not ended. */
async function countAlarms(db: Database, path: string, since: number): Promise<AlarmReportNotice['alarms']> {
  const { rows } = await sql<{
    severity: keyof AlarmReportNotice['alarms']['raised']
    raised: number
    open: number
  }>`
    select alarm.severity, count(*) filter (where alarm.raised_at >= ${new Date(since)}) as raised,
      count(*) filter (where alarm.state <> 'ended') as open
    from ${placedAlarms} where starts_with(node.path, ${path}) group by alarm.severity`.execute(db)
  return {
    raised: Object.fromEntries(
      rows.flatMap(({ severity, raised }) => (raised > 0 ? [[severity, raised]] : [])),
    ),
    open: rows.reduce((sum, { open }) => sum + open, 0),
  }
}

/** Stores a report as a notice to its target, unless another replica has stored it. */
async function store(db: Database, { id, slot }: DueReport, notice: AlarmReportNotice): Promise<void> {
  const at = new Date(notice.at)
  await sql`
    with claimed as (
      update alarm_target set reported_at = ${new Date(slot)}
      where id = ${id} and enabled and (reported_at is null or reported_at < ${new Date(slot)})
      returning id)
    insert into alarm_notice (key, target_id, body, next_at, created_at)
    select ${notice.id}, id, ${JSON.stringify(notice)}, ${at}, ${at} from claimed`.execute(db)
}

/**
 * Stores the reports that are due as notices, which the sender delivers like those of alarms. All replicas together
 * store one report per slot of a target. A report that fails is tried again at the next call and does not stop the
 * others. Returns the number of reports that did not fail.
 */
export async function storeDueReports(
  db: Database,
  now: number,
  summarize: Summarize,
  onFailed: (targetId: number, error: unknown) => void,
): Promise<number> {
  let count = 0
  for (const target of await listDue(db, now)) {
    const { id, report, company, path, nestaddr } = target
    const { every } = report
    try {
      const figures = await summarize(path, every)
      const alarms = await countAlarms(db, path, now - (every === 'day' ? DAY_MS : 7 * DAY_MS))
      const shared = { v: 1, id: ulid(now), event: 'report', at: now } as const
      await store(db, target, { ...shared, company, every, nestaddr, ...figures, alarms })
      count += 1
    } catch (error) {
      onFailed(id, error)
    }
  }
  return count
}
