import type { CommandPriority } from '@isotherm/contract/command'
import type { OrderPreview, OrderRefusal } from '@isotherm/contract/order-preview'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { covers, listAbove, type Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'
import type {} from '../model/tables.ts'
import { toNamed } from './limits.ts'

/** Newest measured opening of a valve, %. */
export type FindOpening = (deviceId: number) => number | undefined

interface LimitRow {
  readonly path: string
  readonly name: string
  readonly min_opening_pct: number | null
  readonly max_step_pct: number | null
  readonly min_total_pct: number | null
}

/** Limits by the path of their node. */
type Limits = ReadonlyMap<string, LimitRow>

interface Target {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly askedPct: number | null
}

/** What of a command to a valve is held against limits. */
export interface AskedCommand {
  readonly deviceId: number
  readonly openingPct: number
  readonly previousPct: number | undefined
}

/** The openings that commands ask; heads have limits of their own. */
export const toAskedOpenings = (commands: readonly NewCommand[]): readonly AskedCommand[] =>
  commands.flatMap(({ kind, deviceId, target, previous }) =>
    kind === 'valve.set' ? [{ deviceId, openingPct: target, previousPct: previous }] : [],
  )

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
): Promise<Limits> => {
  const paths = new Set([...targets.values()].map(({ path }) => path))
  const above = new Set([...paths].flatMap((path) => [...listAbove(path), path]))
  const { rows } = await sql<LimitRow>`
    select node.path, node.name, min_opening_pct, max_step_pct, min_total_pct
    from control_limit join node on node.id = control_limit.node_id
    where node.path = any(${[...above]}::text[])
      and num_nonnulls(min_opening_pct, max_step_pct, min_total_pct) > 0 order by node.id
    ${why === 'to store' ? sql`for no key update of control_limit` : sql``}`.execute(db)
  return new Map(rows.map((limit) => [limit.path, limit]))
}

/** A command that asks too much by the limits above its valve. */
interface Offence {
  readonly refusal: OrderRefusal
  /** The valve and what it may be told. */
  readonly text: string
}

/** Of the limits those that are set above a path or there. */
const listOwn = <Limit>(limits: ReadonlyMap<string, Limit>, path: string): readonly Limit[] =>
  [...listAbove(path), path].flatMap((above) => limits.get(above) ?? [])

function findOffence(
  { deviceId, openingPct, previousPct }: AskedCommand,
  { name, path, askedPct }: Target,
  limits: Limits,
  isEmergency: boolean,
): Offence | undefined {
  const own = listOwn(limits, path)
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

/** A valve below limits, and how far it was last told or measured to be open, if anybody knows. */
interface KnownValve {
  readonly id: number
  readonly path: string
  readonly pct: number | null
}

/** Openings of valves together, %. */
interface Total {
  readonly limit: LimitRow & { readonly min_total_pct: number }
  valves: number
  before: number
  after: number
}

/** Valves below a node that would be closed too far together. */
type TooLowTotal = OrderPreview['totals'][number]

/**
 * Below which nodes commands close the valves farther than is allowed there. How far they would be open together is
 * told only to who sees them all.
 */
async function listTooLow(
  db: Database,
  limits: Limits,
  asked: ReadonlyMap<number, number>,
  scope: Scope,
  findOpening: FindOpening,
): Promise<TooLowTotal[]> {
  const totals = new Map<string, Total>()
  for (const { min_total_pct, ...limit } of limits.values()) {
    if (min_total_pct === null) continue
    totals.set(limit.path, { limit: { ...limit, min_total_pct }, valves: 0, before: 0, after: 0 })
  }
  if (totals.size === 0) return []
  const { rows } = await sql<KnownValve>`
    select device.id, node.path, device.last_open_set_pct as pct from device join node on node.id = device.node_id
    where device.kind = 'valve' and device.retired_at is null and ${isBelow('node.path', [...totals.keys()])}`.execute(
    db,
  )
  for (const { id, path, pct } of rows) {
    const before = pct ?? findOpening(id)
    const after = asked.get(id) ?? before
    // Of a valve that was never asked anything and never measured nobody knows: it counts on neither side.
    if (after === undefined) continue
    for (const total of listOwn(totals, path)) {
      total.valves += 1
      total.before += before ?? after
      total.after += after
    }
  }
  return [...totals.values()].flatMap(
    ({ limit: { path, name, min_total_pct: least }, valves, before, after }) => {
      // What opens them is welcome however far they are closed.
      if (valves === 0 || after >= least * valves || after >= before) return []
      const told = covers(scope, path) ? { totalPct: Math.floor((after / valves) * 10) / 10 } : {}
      return [{ node: name, ...told, minTotalPct: least }]
    },
  )
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
  commands: readonly AskedCommand[],
  findOpening: FindOpening,
): Promise<void> {
  if (commands.length === 0) return
  const targets = await findTargets(transaction, commands)
  const limits = await findLimitsAbove(transaction, targets, 'to store')
  if (limits.size === 0) return
  const offences = listOffences(commands, targets, limits, priority)
  if (offences.length > 0) {
    throw new AppError('command.outside-limits', toNamed(offences.map(({ text }) => text)))
  }
  const [tooLow] = await listTooLow(transaction, limits, toAsked(commands), scope, findOpening)
  if (!tooLow) return
  const { totalPct = '…', ...params } = tooLow
  throw new AppError('command.total-too-low', { ...params, totalPct })
}

function listOffences(
  commands: readonly AskedCommand[],
  targets: ReadonlyMap<number, Target>,
  limits: Limits,
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
  const refused = limits.size === 0 ? [] : listOffences(commands, targets, limits, priority)
  const refusedIds = new Set(refused.map(({ refusal }) => refusal.deviceId))
  const left = toAsked(commands.filter(({ deviceId }) => !refusedIds.has(deviceId)))
  const totals = await listTooLow(db, limits, left, scope, findOpening)
  return { refused: refused.map(({ refusal }) => refusal), totals }
}
