import type { AlarmEvent } from '@isotherm/contract/alarms/alarms'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { listGrants } from '../../session/index.ts'
import { isAlarmInScope, placedAlarms } from '../model/alarm-scope.pg.ts'
import { toAlarmPayloads } from '../model/alarm-signal.ts'
import { isChangedBy, lockAlarms, nextState, releaseSuppressed } from './write-changes.pg.ts'

/** Actions of a user on alarms. */
export interface AlarmActions {
  readonly acknowledge?: true | undefined
  readonly close?: true | undefined
  readonly assignee?: string | null | undefined
  readonly comment?: string | undefined
}

export interface ActionContext {
  readonly account: string
  /** Unix ms. */
  readonly at: number
}

type Db = Transaction<Tables>

/** Checks that the assignee exists in the caller's company. Throws account.not-found. */
export async function requireAssignee(
  db: Database,
  { companyId }: Pick<Caller, 'companyId'>,
  { assignee }: AlarmActions,
): Promise<void> {
  if (assignee === undefined || assignee === null) return
  const { rows } = await sql`
    select from account where account = ${assignee} and enabled
      and (${companyId ?? null}::bigint is null or company_id = ${companyId ?? null})`.execute(db)
  if (rows.length === 0) throw new AppError('account.not-found')
}

/**
 * Checks that the assignee has access to all of the alarms: staff of their company or of the provider with a grant for
 * their place. Throws account.not-found.
 */
async function requireAssigneeAccess(
  db: Db,
  ids: readonly number[],
  { assignee }: AlarmActions,
): Promise<void> {
  if (assignee === undefined || assignee === null || ids.length === 0) return
  const accounts = await sql<{ id: number; companyId: number | null }>`
    select id, company_id as "companyId" from account where account = ${assignee} and enabled`.execute(db)
  const [account] = accounts.rows
  const [grants] = account ? await listGrants(db, [account.id]) : []
  if (!account || !grants) throw new AppError('account.not-found')
  const scope: Scope = grants.seesAll ? scopeOfEverything : { kind: 'paths', paths: grants.paths }
  const { rows } = await sql`
    select from ${placedAlarms}
    where alarm.id = any(${[...ids]}::bigint[]) and not (${isAlarmInScope(scope)}
      and (${account.companyId}::bigint is null or alarm.company_id = ${account.companyId}))
    limit 1`.execute(db)
  if (rows.length > 0) throw new AppError('account.not-found')
}

interface ActionQuery {
  readonly event: AlarmEvent
  readonly set: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
  readonly detail: string
}

function toActionQueries(
  { acknowledge, close, assignee, comment }: AlarmActions,
  { account, at }: ActionContext,
): readonly ActionQuery[] {
  const when = new Date(at)
  const queries: ActionQuery[] = []
  if (assignee !== undefined) {
    queries.push({
      event: 'assigned',
      set: sql`assignee = ${assignee}`,
      where: sql`assignee is distinct from ${assignee}`,
      detail: assignee ?? '',
    })
  }
  if (comment !== undefined) {
    queries.push({
      event: 'commented',
      set: sql`comment = ${comment}`,
      where: sql`comment <> ${comment}`,
      detail: comment,
    })
  }
  if (acknowledge) {
    queries.push({
      event: 'acknowledged',
      set: sql`state = ${nextState('acknowledged', 'state')}, acknowledged_by = ${account}, acknowledged_at = ${when}`,
      where: isChangedBy('acknowledged', 'state'),
      detail: '',
    })
  }
  if (close) {
    queries.push({
      event: 'closed',
      set: sql`state = ${nextState('closed', 'state')}, closed_by = ${account},
        cleared_at = coalesce(cleared_at, ${when})`,
      where: isChangedBy('closed', 'state'),
      detail: '',
    })
  }
  return queries
}

/** Applies actions to the open alarms of `ids`. Returns the ids of the changed alarms. Throws account.not-found. */
export async function applyActions(
  db: Db,
  ids: readonly number[],
  actions: AlarmActions,
  context: ActionContext,
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>()
  await lockAlarms(db)
  const { rows: locked } = await sql<{ id: number }>`
    select id from alarm where id = any(${[...ids]}::bigint[]) and state <> 'ended' for update`.execute(db)
  const open = locked.map(({ id }) => id)
  await requireAssigneeAccess(db, open, actions)
  for (const { event, set, where, detail } of toActionQueries(actions, context)) {
    const { rows } = await sql<{ id: number }>`
      with changed as (
        update alarm set ${set} where id = any(${open}::bigint[]) and ${where} returning id),
      noted as (
        insert into alarm_event (alarm_id, at, event, account, detail)
        select id, ${new Date(context.at)}, ${event}, ${context.account}, ${detail} from changed)
      select id from changed`.execute(db)
    for (const { id } of rows) changed.add(id)
  }
  const signalled = new Set(changed)
  if (actions.close) for (const { id } of await releaseSuppressed(db, context.at)) signalled.add(id)
  for (const payload of toAlarmPayloads([...signalled])) await toSignal('alarm_changed', payload).execute(db)
  return changed
}
