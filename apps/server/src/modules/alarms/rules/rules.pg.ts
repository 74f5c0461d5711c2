import { alarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmRule } from '@isotherm/contract/alarms/alarms'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  flagField,
  numberField,
  textField,
  toConditions,
  toOffset,
  toTotal,
} from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { isVisible } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { toNodeKey } from '../../network/index.ts'
import { RULES_CHANGED } from '../model/alarm-signal.ts'
import { toAbilitiesAt, type Viewer } from '../model/policy.ts'
import type { AlarmRuleTable } from '../model/tables.ts'
import type { StoredRule } from './rule-book.ts'

type RuleRow = Omit<Insertable<AlarmRuleTable>, 'company_id' | 'node_id' | 'kind'>
/** The fields of a rule that can be changed. */
export type RuleSettings = Omit<StoredRule, 'id' | 'kind' | 'nodeId'>

const toRow = ({ deviceKinds, season, hours, ...rule }: RuleSettings): RuleRow => ({
  device_kinds: [...deviceKinds],
  enabled: rule.enabled,
  severity: rule.severity,
  raise_at: rule.raiseAt,
  clear_at: rule.clearAt,
  raise_after_s: rule.raiseAfterS,
  clear_after_s: rule.clearAfterS,
  season_from: season?.from ?? null,
  season_to: season?.to ?? null,
  hour_from: hours?.from ?? null,
  hour_to: hours?.to ?? null,
})

const columns = sql`
  rule.id, rule.kind, rule.node_id as "nodeId", rule.device_kinds as "deviceKinds", rule.enabled, rule.severity,
  rule.raise_at as "raiseAt", rule.clear_at as "clearAt", rule.raise_after_s as "raiseAfterS",
  rule.clear_after_s as "clearAfterS",
  case when rule.season_from is not null then
    json_build_object('from', rule.season_from, 'to', rule.season_to) end as season,
  case when rule.hour_from is not null then
    json_build_object('from', rule.hour_from, 'to', rule.hour_to) end as hours`

/** All rules of all companies: there are few, and every reading needs them. */
export async function readRules(db: Database): Promise<readonly StoredRule[]> {
  const { rows } = await sql<StoredRule>`select ${columns} from alarm_rule rule`.execute(db)
  // Skips kinds that this version does not know.
  return rows.filter(({ kind }) => alarmKind.safeParse(kind).success)
}

/** Time zones of the companies by their tenants. */
export async function readTimeZones(db: Database): Promise<ReadonlyMap<string, string>> {
  const companies = await db.selectFrom('company').select(['tenant', 'time_zone']).execute()
  return new Map(companies.map(({ tenant, time_zone }) => [tenant, time_zone]))
}

/** Time zone of a company; without a company (provider staff) that of the first company. */
export async function readTimeZone(db: Database, companyId: number | undefined): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`
    select time_zone as "timeZone" from company
    where ${companyId ?? null}::bigint is null or id = ${companyId ?? null} order by id limit 1`.execute(db)
  return rows[0]?.timeZone ?? 'UTC'
}

const fields: FilterFields = {
  id: numberField(sql`rule.id`),
  kind: textField(sql`rule.kind`),
  severity: textField(sql`rule.severity`),
  enabled: flagField(sql`rule.enabled`),
  nestaddr: textField(sql`node.nestaddr`),
}

interface SeenRow extends StoredRule {
  readonly uuid: string | null
  readonly address: string | null
  readonly nestaddr: string
  readonly path: string
  readonly version: number
}

const toSeen = ({ uuid, address, path, nodeId, ...rule }: SeenRow, viewer: Viewer): AlarmRule => ({
  ...rule,
  deviceKinds: [...rule.deviceKinds],
  node: toNodeKey({ id: nodeId, uuid, address }),
  abilities: toAbilitiesAt(viewer, path, ['edit', 'remove']),
})

const seenColumns = sql`${columns}, node.uuid, node.address, node.nestaddr, node.path, rule.version`

export interface RuleQuery {
  /** Subtrees of the scope; undefined for all of it. */
  readonly paths: readonly string[] | undefined
  readonly filter: readonly FilterItem[]
  readonly limiter: Limiter
}

/** Rules that apply to nodes in the viewer's scope, including rules of nodes above it. */
export const listRules = (
  db: Database,
  viewer: Viewer,
  { paths, filter, limiter }: RuleQuery,
): Promise<{ datalist: AlarmRule[]; total: number }> =>
  withListLimits(db, filter, async (bounded) => {
    const within: Scope = paths ? { kind: 'paths', paths } : viewer.scope
    const matching = sql`${isVisible('node.path', within)} and ${toConditions(fields, filter)}`
    const from = sql`alarm_rule rule join node on node.id = rule.node_id`
    const { rows } = await sql<SeenRow>`
      select ${seenColumns} from ${from} where ${matching}
      order by rule.kind, node.sort_path, rule.id limit ${limiter.size} offset ${toOffset(limiter)}`.execute(
      bounded,
    )
    const total = await toTotal(limiter, rows.length, async () => {
      const counted = await sql<{ total: number }>`
        select count(*) as total from ${from} where ${matching}`.execute(bounded)
      return counted.rows[0]?.total ?? 0
    })
    return { datalist: rows.map((row) => toSeen(row, viewer)), total }
  })

export async function findRule(db: Database, viewer: Viewer, id: number): Promise<AlarmRule | undefined> {
  const { rows } = await sql<SeenRow>`
    select ${seenColumns} from alarm_rule rule join node on node.id = rule.node_id
    where rule.id = ${id} and ${isVisible('node.path', viewer.scope)}`.execute(db)
  return rows[0] && toSeen(rows[0], viewer)
}

export async function insertRule(
  transaction: Transaction<Tables>,
  {
    kind,
    nodeId,
    companyId,
    ...rule
  }: RuleSettings & Pick<StoredRule, 'kind' | 'nodeId'> & { companyId: number },
): Promise<number> {
  const { id } = await transaction
    .insertInto('alarm_rule')
    .values({ company_id: companyId, node_id: nodeId, kind, ...toRow(rule) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRule(
  transaction: Transaction<Tables>,
  id: number,
  settings: RuleSettings,
): Promise<void> {
  await transaction.updateTable('alarm_rule').set(toRow(settings)).where('id', '=', id).execute()
}

/** Signals all replicas on commit that rules have changed. */
export async function signalRules(transaction: Transaction<Tables>): Promise<void> {
  await toSignal('alarm_changed', RULES_CHANGED).execute(transaction)
}
