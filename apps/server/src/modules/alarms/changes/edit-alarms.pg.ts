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
import { isChangedBy, nextState, releaseBehindInactive } from './write-changes.pg.ts'

/** What a person does to alarms. */
export interface Deeds {
  readonly acknowledge?: true | undefined
  readonly close?: true | undefined
  readonly assignee?: string | null | undefined
  readonly comment?: string | undefined
}

export interface Doing {
  readonly account: string
  /** Unix ms. */
  readonly at: number
}

type Db = Transaction<Tables>

/** Whoever is to look after alarms must be there and be of the caller's company. Throws account.not-found. */
export async function requireAssignee(
  db: Database,
  { companyId }: Pick<Caller, 'companyId'>,
  { assignee }: Deeds,
): Promise<void> {
  if (assignee === undefined || assignee === null) return
  const { rows } = await sql`
    select from account where account = ${assignee} and enabled
      and (${companyId ?? null}::bigint is null or company_id = ${companyId ?? null})`.execute(db)
  if (rows.length === 0) throw new AppError('account.not-found')
}

/**
 * Whoever is to look after alarms must see all of them: staff of their company, or of the provider, to whom their
 * place is granted. Throws account.not-found.
 */
async function requireSight(db: Db, ids: readonly number[], { assignee }: Deeds): Promise<void> {
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

interface Deed {
  readonly event: AlarmEvent
  readonly set: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
  readonly detail: string
}

function toDeeds({ acknowledge, close, assignee, comment }: Deeds, { account, at }: Doing): readonly Deed[] {
  const when = new Date(at)
  const deeds: Deed[] = []
  if (assignee !== undefined) {
    deeds.push({
      event: 'assigned',
      set: sql`assignee = ${assignee}`,
      where: sql`assignee is distinct from ${assignee}`,
      detail: assignee ?? '',
    })
  }
  if (comment !== undefined) {
    deeds.push({
      event: 'commented',
      set: sql`comment = ${comment}`,
      where: sql`comment <> ${comment}`,
      detail: comment,
    })
  }
  if (acknowledge) {
    deeds.push({
      event: 'acknowledged',
      set: sql`state = ${nextState('acknowledged', 'state')}, acknowledged_by = ${account}, acknowledged_at = ${when}`,
      where: isChangedBy('acknowledged', 'state'),
      detail: '',
    })
  }
  if (close) {
    deeds.push({
      event: 'closed',
      set: sql`state = ${nextState('closed', 'state')}, closed_by = ${account},
        cleared_at = coalesce(cleared_at, ${when})`,
      where: isChangedBy('closed', 'state'),
      detail: '',
    })
  }
  return deeds
}

/** Does it to those of the alarms that have not ended; ids of those it changed. Throws account.not-found. */
export async function doToAlarms(
  db: Db,
  ids: readonly number[],
  deeds: Deeds,
  doing: Doing,
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>()
  // Locked in one order, so that two who do it at once wait for each other and not in a circle.
  const { rows: locked } = await sql<{ id: number }>`
    select id from alarm where id = any(${[...ids]}::bigint[]) and state <> 'ended' order by id for update`.execute(
    db,
  )
  const open = locked.map(({ id }) => id)
  await requireSight(db, open, deeds)
  for (const { event, set, where, detail } of toDeeds(deeds, doing)) {
    const { rows } = await sql<{ id: number }>`
      with changed as (
        update alarm set ${set} where id = any(${open}::bigint[]) and ${where} returning id),
      noted as (
        insert into alarm_event (alarm_id, at, event, account, detail)
        select id, ${new Date(doing.at)}, ${event}, ${doing.account}, ${detail} from changed)
      select id from changed`.execute(db)
    for (const { id } of rows) changed.add(id)
  }
  const told = new Set(changed)
  if (deeds.close) for (const { id } of await releaseBehindInactive(db, doing.at)) told.add(id)
  for (const payload of toAlarmPayloads([...told])) await toSignal('alarm_changed', payload).execute(db)
  return changed
}
