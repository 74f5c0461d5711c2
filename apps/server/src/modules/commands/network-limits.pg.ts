import type { CommandPriority, ControlLimits } from '@isotherm/contract/command'
import type { OrderPreview, OrderRefusal } from '@isotherm/contract/order-preview'
import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Database } from '../../platform/database.pg.ts'
import { toStale } from '../../platform/operation/lock-version.pg.ts'
import { noteChanges } from '../../platform/operation/note-changes.pg.ts'
import { isBelow, isInScope } from '../../platform/scope.pg.ts'
import { covers, listAbove, type Scope } from '../../platform/scope.ts'
import type { Tables } from '../../platform/tables.ts'
import { toNodeKey } from '../network/index.ts'
import { toNamed } from './limits.ts'
import type { NewBatch, NewCommand } from './store.ts'
import type {} from './tables.ts'

/** Newest measured opening of a valve, %. */
export type FindOpening = (deviceId: number) => number | undefined

interface LimitRow {
  readonly path: string
  readonly name: string
  readonly min_opening_pct: number | null
  readonly max_step_pct: number | null
  readonly min_total_pct: number | null
}

interface Target {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly askedPct: number | null
}

/** What of a command is held against limits. */
export type AskedCommand = Pick<NewCommand, 'deviceId' | 'openingPct' | 'previousPct'>

const findTargets = async (
  db: Database,
  commands: readonly AskedCommand[],
): Promise<ReadonlyMap<number, Target>> => {
  const { rows } = await sql<Target>`
    select device.id, device.name, node.path, device.last_open_set_pct as "askedPct"
    from device join node on node.id = device.node_id
    where device.id = any(${commands.map(({ deviceId }) => deviceId)}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Limits of the nodes on the way to any of the targets; where commands are to be stored, held so
 * that no other batch is measured by them meanwhile. Nothing is measured by limits that were taken away.
 */
const findLimitsAbove = async (
  db: Database,
  targets: ReadonlyMap<number, Target>,
  why: 'to look' | 'to store',
): Promise<readonly LimitRow[]> => {
  const paths = new Set([...targets.values()].map(({ path }) => path))
  const above = new Set([...paths].flatMap((path) => [...listAbove(path), path]))
  const { rows } = await sql<LimitRow>`
    select node.path, node.name, min_opening_pct, max_step_pct, min_total_pct
    from control_limit join node on node.id = control_limit.node_id
    where node.path = any(${[...above]}::text[])
      and num_nonnulls(min_opening_pct, max_step_pct, min_total_pct) > 0 order by node.id
    ${why === 'to store' ? sql`for no key update of control_limit` : sql``}`.execute(db)
  return rows
}

/** A command that asks too much by the limits above its valve. */
interface Offence {
  readonly refusal: OrderRefusal
  /** The valve and what it may be told. */
  readonly text: string
}

function findOffence(
  { deviceId, openingPct, previousPct }: AskedCommand,
  { name, path, askedPct }: Target,
  limits: readonly LimitRow[],
  isEmergency: boolean,
): Offence | undefined {
  const own = limits.filter((limit) => path.startsWith(limit.path))
  const lowest = Math.max(...own.map(({ min_opening_pct }) => min_opening_pct ?? 0))
  if (openingPct < lowest) {
    return {
      text: `${name} (≥ ${lowest} %)`,
      refusal: { deviceId, reason: 'below-minimum', minPct: lowest },
    }
  }
  const before = askedPct ?? previousPct
  const step = Math.min(...own.map(({ max_step_pct }) => max_step_pct ?? 100))
  // An emergency may close in one go; how far it may close is limited all the same.
  if (isEmergency || before === undefined || Math.abs(openingPct - before) <= step) return undefined
  const minPct = Math.max(lowest, before - step)
  return {
    text: `${name} (${before} % ± ${step} %)`,
    refusal: { deviceId, reason: 'too-far', minPct, maxPct: Math.min(100, before + step) },
  }
}

interface Known {
  readonly id: number
  readonly pct: number | null
}

const toMean = (openings: readonly number[]): number =>
  openings.length === 0 ? 0 : openings.reduce((sum, pct) => sum + pct, 0) / openings.length

/** Valves below a node that would be closed too far together. */
type TooLowTotal = OrderPreview['totals'][number]

/**
 * Whether commands close the valves below a node farther than is allowed there. How far they would be open together
 * is told only to who sees them all.
 */
async function findTooLow(
  db: Database,
  { path, name, min_total_pct: least }: LimitRow,
  asked: ReadonlyMap<number, number>,
  scope: Scope,
  findOpening: FindOpening,
): Promise<TooLowTotal | undefined> {
  if (least === null) return undefined
  const { rows } = await sql<Known>`
    select device.id, device.last_open_set_pct as pct from device join node on node.id = device.node_id
    where device.kind = 'valve' and device.retired_at is null and ${isBelow('node.path', [path])}`.execute(db)
  // Of a valve that was never asked anything and never measured nobody knows: it counts on neither side.
  const known = rows.flatMap(({ id, pct }) => {
    const before = pct ?? findOpening(id)
    const after = asked.get(id) ?? before
    return after === undefined ? [] : [{ before: before ?? after, after }]
  })
  const after = toMean(known.map((valve) => valve.after))
  // What opens them is welcome however far they are closed.
  if (after >= least || after >= toMean(known.map((valve) => valve.before))) return undefined
  const told = covers(scope, path) ? { totalPct: Math.floor(after * 10) / 10 } : {}
  return { node: name, ...told, minTotalPct: least }
}

const toAsked = (commands: readonly AskedCommand[]): ReadonlyMap<number, number> =>
  new Map(commands.map(({ deviceId, openingPct }) => [deviceId, openingPct]))

/**
 * Holds a batch, whose devices are locked, against the limits of the nodes above them: the strictest counts. Throws
 * command.outside-limits, which names every valve that is asked too much, or command.total-too-low.
 */
export async function checkNetworkLimits(
  transaction: Transaction<Tables>,
  { priority, scope }: Pick<NewBatch, 'priority' | 'scope'>,
  commands: readonly NewCommand[],
  findOpening: FindOpening,
): Promise<void> {
  const targets = await findTargets(transaction, commands)
  const limits = await findLimitsAbove(transaction, targets, 'to store')
  if (limits.length === 0) return
  const offences = listOffences(commands, targets, limits, priority)
  if (offences.length > 0) {
    throw new AppError('command.outside-limits', toNamed(offences.map(({ text }) => text)))
  }
  const asked = toAsked(commands)
  for (const limit of limits) {
    const tooLow = await findTooLow(transaction, limit, asked, scope, findOpening)
    if (!tooLow) continue
    const { totalPct = '…', ...params } = tooLow
    throw new AppError('command.total-too-low', { ...params, totalPct })
  }
}

function listOffences(
  commands: readonly AskedCommand[],
  targets: ReadonlyMap<number, Target>,
  limits: readonly LimitRow[],
  priority: CommandPriority,
): readonly Offence[] {
  return commands.flatMap((command) => {
    const target = targets.get(command.deviceId)
    return (target && findOffence(command, target, limits, priority === 'emergency')) ?? []
  })
}

/** What commands would meet of the limits above them now; their totals are counted without those that are refused. */
export async function previewNetworkLimits(
  db: Database,
  { priority, scope }: Pick<NewBatch, 'priority' | 'scope'>,
  commands: readonly AskedCommand[],
  findOpening: FindOpening,
): Promise<{ readonly refused: OrderRefusal[]; readonly totals: TooLowTotal[] }> {
  const targets = await findTargets(db, commands)
  const limits = await findLimitsAbove(db, targets, 'to look')
  const refused = limits.length === 0 ? [] : listOffences(commands, targets, limits, priority)
  const refusedIds = new Set(refused.map(({ refusal }) => refusal.deviceId))
  const left = toAsked(commands.filter(({ deviceId }) => !refusedIds.has(deviceId)))
  const totals: TooLowTotal[] = []
  for (const limit of limits) {
    const tooLow = await findTooLow(db, limit, left, scope, findOpening)
    if (tooLow) totals.push(tooLow)
  }
  return { refused: refused.map(({ refusal }) => refusal), totals }
}

type VersionedLimits = ControlLimits & { readonly version: number }
type LimitsRow = Omit<LimitRow, 'path' | 'name'> & { readonly version: number }
type KeyedLimitsRow = LimitsRow & Parameters<typeof toNodeKey>[0]

const toLimits = (row: LimitsRow): VersionedLimits => ({
  version: row.version,
  ...(row.min_opening_pct === null ? {} : { minOpeningPct: row.min_opening_pct }),
  ...(row.max_step_pct === null ? {} : { maxStepPct: row.max_step_pct }),
  ...(row.min_total_pct === null ? {} : { minTotalPct: row.min_total_pct }),
})

/** Limits set on the nodes of these keys, by key; of those in scope that have or had any. */
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
  // An address has the uuid of its sub-user: only by the whole key is it known which of them is meant.
  const asked = new Set(keys)
  const keyed = rows.map((row) => [toNodeKey(row), toLimits(row)] as const)
  return new Map(keyed.filter(([key]) => asked.has(key)))
}

const limitColumns = ['min_opening_pct', 'max_step_pct', 'min_total_pct'] as const
type SetLimits = { readonly [column in (typeof limitColumns)[number]]: number | null }

/** Sets the limits of the node at a path in place of what was there in that version. Throws entity.stale. */
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
  // Two who set them at once do so one after the other.
  const node = await transaction
    .selectFrom('node')
    .select('id')
    .where('path', '=', path)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!node) return
  const standing = transaction.selectFrom('control_limit').where('node_id', '=', node.id)
  const before = await standing.select([...limitColumns, 'version']).executeTakeFirst()
  if ((before?.version ?? 0) !== version) {
    throw await toStale(transaction, {
      ...{ table: 'control_limit', entity: 'control-limit', id: node.id, version },
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
  // The row stays the same one: a batch that waits for it is held to what it says now.
  const set = { ...limits, version: version + 1 }
  await transaction.updateTable('control_limit').set(set).where('node_id', '=', node.id).execute()
  const pick = (row: SetLimits) => Object.fromEntries(changed.map((column) => [column, row[column]]))
  await noteChanges(transaction, 'control-limit', [
    { id: String(node.id), version: set.version, path, before: pick(before), after: pick(limits) },
  ])
}
