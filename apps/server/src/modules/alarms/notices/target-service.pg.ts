import { alarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmTarget } from '@isotherm/contract/alarms/alarms'
import {
  type DutyTimes,
  isAddressOf,
  isSecretOf,
  type NoticeChannel,
  type ReportTimes,
} from '@isotherm/contract/alarms/notice-channels'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addAlarmTarget,
  deleteAlarmTargets,
  editAlarmTarget,
  getAlarmTargets,
} from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isBelow, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { HIDDEN, withoutUrlSecrets } from '../../../platform/url-secrets.ts'
import { toNodeKey } from '../../network/index.ts'
import { findPaths, getPlace, type ResolveNodes, removeRows } from '../model/places.pg.ts'
import { requireHandling, toAbilitiesAt, type Viewer } from '../model/policy.ts'
import type { TargetCheck } from './target-address.ts'

/** Targets of alarm notices. Visible only to callers with a grant for the target's whole subtree. */
export interface TargetService {
  list(
    caller: Caller,
    query: InputOf<typeof getAlarmTargets>,
  ): Promise<{ datalist: AlarmTarget[]; total: number }>
  add(call: Call, added: InputOf<typeof addAlarmTarget>): Promise<AlarmTarget>
  change(call: Call, changed: InputOf<typeof editAlarmTarget>): Promise<AlarmTarget>
  /** Removes all or none. Returns their ids. */
  remove(call: Call, items: InputOf<typeof deleteAlarmTargets>['items']): Promise<number[]>
}

interface Row
  extends Pick<
    AlarmTarget,
    'id' | 'name' | 'channel' | 'language' | 'afterMin' | 'url' | 'nestaddr' | 'enabled' | 'version'
  > {
  readonly duty: DutyTimes | null
  readonly report: ReportTimes | null
  readonly severities: AlarmTarget['severities']
  readonly kinds: readonly string[]
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
  readonly path: string
  readonly sentAt: Date | null
  readonly fault: AlarmTarget['fault'] | null
  readonly waiting: number
  readonly givenUp: number
}

const toSeen = (
  { nodeId, uuid, address, path, sentAt, fault, kinds, duty, report, ...row }: Row,
  viewer: Viewer,
): AlarmTarget => ({
  ...row,
  kinds: kinds.flatMap((kind) => alarmKind.safeParse(kind).data ?? []),
  node: toNodeKey({ id: nodeId, uuid, address }),
  ...(duty === null ? {} : { duty }),
  ...(report === null ? {} : { report }),
  ...(sentAt === null ? {} : { sentAt: sentAt.getTime() }),
  ...(fault === null ? {} : { fault }),
  abilities: toAbilitiesAt(viewer, path, ['edit', 'remove']),
})

const from = sql`alarm_target target join node on node.id = target.node_id`
const columns = sql`
  target.id, target.name, target.channel, target.language, target.after_min as "afterMin", target.duty, target.report,
  target.shown_url as url, target.severities, target.kinds, target.enabled, target.version,
  target.sent_at as "sentAt", target.fault, node.id as "nodeId", node.uuid, node.address, node.nestaddr, node.path,
  (select count(*) from alarm_notice notice where target_id = target.id and state = 'waiting') as waiting,
  (select count(*) from alarm_notice notice where target_id = target.id and state = 'given-up') as "givenUp"`

/** Address for people: numbers and mailboxes are no secrets, unlike parts of a URL. */
const toShown = (url: string): string => (/^https?:/.test(url) ? withoutUrlSecrets(url) : url)

/** Maximum number of targets of a company. */
const MAX_TARGETS = 20

/** Times of duty or of reports for the database. */
const toStored = <Times extends DutyTimes | ReportTimes>(times: Times | undefined) =>
  times === undefined ? null : sql<Times>`${JSON.stringify(times)}::jsonb`

/** A report shows statistics. Throws access.denied. */
function requireStatistics({ permissions }: Caller, report: ReportTimes | undefined): void {
  if (report && !permissions.has('ps-statsys')) throw new AppError('access.denied')
}

/** Whether a channel signs with the stored secret. */
const isSigned = (channel: NoticeChannel): boolean =>
  channel === 'webhook' || channel === 'dingtalk' || channel === 'feishu'

/** Throws alarm-target.too-many. The lock serializes concurrent additions. */
async function requireRoom(transaction: Transaction<Tables>, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('isotherm alarm targets'), ${companyId}::int)`.execute(
    transaction,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) from alarm_target where company_id = ${companyId}`.execute(transaction)
  if ((rows[0]?.count ?? 0) >= MAX_TARGETS)
    throw new AppError('alarm-target.too-many', { limit: MAX_TARGETS })
}

/** A changed URL must contain its hidden values again, so that they cannot be sent elsewhere. Throws alarm-target.hidden-value. */
function requireWhole(url: string): void {
  if (url.includes(HIDDEN)) throw new AppError('alarm-target.hidden-value')
}

export function createTargetService(db: Database, resolve: ResolveNodes, check: TargetCheck): TargetService {
  async function readOne(caller: Caller, id: number): Promise<AlarmTarget> {
    const { rows } = await sql<Row>`
      select ${columns} from ${from} where target.id = ${id} and ${isInScope('node.path', caller.scope)}`.execute(
      db,
    )
    if (!rows[0]) throw new AppError('alarm-target.not-found')
    return toSeen(rows[0], caller)
  }

  /** Throws alarm-target.forbidden. Host names are checked at each delivery. */
  async function requireAllowed(url: string): Promise<void> {
    // Mail and messages leave through the servers of the installation.
    if (!/^https?:/.test(url)) return
    if (await check.isForbidden(new URL(url))) throw new AppError('alarm-target.forbidden')
  }

  /** The URL after a change. The shown form of the stored URL means no change. */
  async function toChangedUrl(
    transaction: Transaction<Tables>,
    id: number,
    given: string,
    secret: string | undefined,
  ) {
    const { url, channel } = await transaction
      .selectFrom('alarm_target')
      .select(['url', 'channel'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (secret !== undefined && !isSecretOf(channel, secret))
      throw new AppError('request.malformed', { detail: 'secret: does not fit the channel' })
    if (given === url || given === toShown(url)) return { url, isElsewhere: false }
    requireWhole(given)
    if (!isAddressOf(channel, given))
      throw new AppError('request.malformed', { detail: 'url: does not fit the channel' })
    return { url: given, isElsewhere: isSigned(channel) && new URL(given).origin !== new URL(url).origin }
  }

  return {
    async list(caller, { nodes, limiter }) {
      requireHandling(caller)
      const paths = await findPaths(resolve, caller.scope, nodes)
      const matching = sql`${isInScope('node.path', caller.scope)}
        and ${paths ? isBelow('node.path', paths) : sql`true`}`
      const { rows } = await sql<Row>`
        select ${columns} from ${from} where ${matching}
        order by target.name, target.id limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
      const total = await toTotal(limiter, rows.length, async () => {
        const counted = await sql<{ total: number }>`
          select count(*) as total from ${from} where ${matching}`.execute(db)
        return counted.rows[0]?.total ?? 0
      })
      return { datalist: rows.map((row) => toSeen(row, caller)), total }
    },

    async add({ caller, operation }, { node, afterMin: after_min, duty, report, ...target }) {
      requireHandling(caller)
      requireStatistics(caller, report)
      requireWhole(target.url)
      await requireAllowed(target.url)
      const { nodeId, companyId } = await getPlace(db, resolve, caller.scope, node)
      const shown_url = toShown(target.url)
      const { id } = await operate(db, operation, async (transaction) => {
        await requireRoom(transaction, companyId)
        return transaction
          .insertInto('alarm_target')
          .values({
            company_id: companyId,
            node_id: nodeId,
            shown_url,
            after_min,
            ...target,
            duty: toStored(duty),
            report: toStored(report),
            reported_at: new Date(operation.at),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      })
      return readOne(caller, id)
    },

    async change(
      { caller, operation },
      { id, version, secret, url: given, afterMin: after_min, duty, report, ...target },
    ) {
      requireHandling(caller)
      requireStatistics(caller, report)
      await requireAllowed(given)
      await operate(db, operation, async (transaction) => {
        const locked = { table: 'alarm_target', entity: 'alarm-target', id, version } as const
        if (!(await lockVersion(transaction, locked))) throw new AppError('alarm-target.not-found')
        const { url, isElsewhere } = await toChangedUrl(transaction, id, given, secret)
        // Otherwise a user could redirect messages that are signed with the old secret to themselves.
        if (isElsewhere && secret === undefined) throw new AppError('alarm-target.secret-needed')
        const shown_url = toShown(url)
        await transaction
          .updateTable('alarm_target')
          .set({
            ...target,
            after_min,
            duty: toStored(duty),
            report: toStored(report),
            // New report times start now: slots before this instant are not made up for.
            reported_at: sql`case when report is distinct from ${toStored(report)} then ${new Date(operation.at)}
              else reported_at end`,
            url,
            shown_url,
            url_rev: sql`url_rev + (url <> ${url})::int`,
            ...(secret === undefined ? {} : { secret, secret_rev: sql`secret_rev + 1` }),
          })
          .where('id', '=', id)
          .execute()
      })
      return readOne(caller, id)
    },

    remove({ caller, operation }, items) {
      requireHandling(caller)
      return operate(db, operation, async (transaction) => {
        for (const { id, version } of items.toSorted((left, right) => left.id - right.id)) {
          const target = { table: 'alarm_target', entity: 'alarm-target', id, version } as const
          if (!(await lockVersion(transaction, target))) throw new AppError('alarm-target.not-found')
        }
        const ids = items.map(({ id }) => id)
        await removeRows(transaction, 'alarm_target', ids)
        return ids
      })
    },
  }
}
