import type { ControlLimits } from '@isotherm/contract/command'
import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { sql, type Transaction } from 'kysely'
import { toStale } from '../../../platform/operation/lock-version.pg.ts'
import { recordChanges } from '../../../platform/operation/record-changes.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockNodeAt, toNodeKey } from '../../network/index.ts'
import type {} from '../model/tables.ts'

const limitColumns = ['min_opening_pct', 'max_step_pct', 'min_total_pct'] as const
type SetLimits = { readonly [column in (typeof limitColumns)[number]]: number | null }

type VersionedLimits = ControlLimits & { readonly version: number }
type LimitsRow = SetLimits & { readonly version: number }
type KeyedLimitsRow = LimitsRow & Parameters<typeof toNodeKey>[0]

const toLimits = (row: LimitsRow): VersionedLimits => ({
  version: row.version,
  ...(row.min_opening_pct === null ? {} : { minOpeningPct: row.min_opening_pct }),
  ...(row.max_step_pct === null ? {} : { maxStepPct: row.max_step_pct }),
  ...(row.min_total_pct === null ? {} : { minTotalPct: row.min_total_pct }),
})

/** Limits of nodes in scope, by key. Contains nodes that have limits now or had some before. */
export async function findLimits(
  db: Database,
  scope: Scope,
  keys: readonly NodeKey[],
): Promise<ReadonlyMap<NodeKey, VersionedLimits>> {
  const named = keys.map(parseNodeKey)
  const ids = named.flatMap((key) => (key.kind === 'group' ? [key.id] : []))
  const uuids = named.flatMap((key) => ('uuid' in key ? [key.uuid] : []))
  const { rows } = await sql<KeyedLimitsRow>`
    select node.id, node.uuid::text, node.address, min_opening_pct, max_step_pct, min_total_pct, control_limit.version
    from control_limit join node on node.id = control_limit.node_id
    where (node.id = any(${ids}::bigint[]) or node.uuid = any(${uuids}::uuid[]))
      and ${isInScope('node.path', scope)}`.execute(db)
  // An address has the same uuid as its sub-user, so compare whole keys.
  const requested = new Set(keys)
  const keyed = rows.map((row) => [toNodeKey(row), toLimits(row)] as const)
  return new Map(keyed.filter(([key]) => requested.has(key)))
}

/** Replaces the limits of the node at a path, based on a version. Throws entity.stale. */
export async function setLimits(
  transaction: Transaction<Tables>,
  path: string,
  { minOpeningPct, maxStepPct, minTotalPct }: ControlLimits,
  version: number,
): Promise<void> {
  const limits: SetLimits = {
    min_opening_pct: minOpeningPct ?? null,
    max_step_pct: maxStepPct ?? null,
    min_total_pct: minTotalPct ?? null,
  }
  // The lock serializes concurrent changes.
  const node = await lockNodeAt(transaction, path)
  if (!node) return
  const current = transaction.selectFrom('control_limit').where('node_id', '=', node.id)
  const before = await current.select([...limitColumns, 'version']).executeTakeFirst()
  if ((before?.version ?? 0) !== version) {
    throw await toStale(transaction, {
      table: 'control_limit',
      entity: 'control-limit',
      id: node.id,
      version,
    })
  }
  const changed = limitColumns.filter((column) => limits[column] !== (before?.[column] ?? null))
  if (changed.length === 0) return
  if (!before) {
    await transaction
      .insertInto('control_limit')
      .values({ node_id: node.id, ...limits })
      .execute()
    return
  }
  // Update the same row: a batch that waits for its lock then checks the new limits.
  const set = { ...limits, version: version + 1 }
  await transaction.updateTable('control_limit').set(set).where('node_id', '=', node.id).execute()
  const pick = (row: SetLimits) => Object.fromEntries(changed.map((column) => [column, row[column]]))
  await recordChanges(transaction, 'control-limit', [
    { id: String(node.id), version: set.version, path, before: pick(before), after: pick(limits) },
  ])
}
