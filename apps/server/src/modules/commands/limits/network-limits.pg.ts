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
  readonly requestedPct: number | null
}

/** The part of a valve command that limits apply to. */
export interface RequestedCommand {
  readonly deviceId: number
  readonly openingPct: number
  readonly previousPct: number | undefined
}

/** Openings of commands. Heads have limits of their own. */
export const toRequestedOpenings = (commands: readonly NewCommand[]): readonly RequestedCommand[] =>
  commands.flatMap(({ kind, deviceId, target, previous }) =>
    kind === 'valve.set' ? [{ deviceId, openingPct: target, previousPct: previous }] : [],
  )

const findTargets = async (
  db: Database,
  commands: readonly RequestedCommand[],
): Promise<ReadonlyMap<number, Target>> => {
  const { rows } = await sql<Target>`
    select device.id, device.name, node.path, device.last_open_set_pct as "requestedPct"
    from device join node on node.id = device.node_id
    where device.id = any(${commands.map(({ deviceId }) => deviceId)}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Limits of the targets' nodes and their ancestors. `lock` locks them, so that concurrent batches are checked one after the
 * other. Removed limits are not returned.
 */
const findLimitsAbove = async (
  db: Database,
  targets: ReadonlyMap<number, Target>,
  mode: 'read' | 'lock',
): Promise<Limits> => {
  const paths = new Set([...targets.values()].map(({ path }) => path))
  const above = new Set([...paths].flatMap((path) => [...listAbove(path), path]))
  const { rows } = await sql<LimitRow>`
    select node.path, node.name, min_opening_pct, max_step_pct, min_total_pct
    from control_limit join node on node.id = control_limit.node_id
    where node.path = any(${[...above]}::text[])
      and num_nonnulls(min_opening_pct, max_step_pct, min_total_pct) > 0 order by node.id
    ${mode === 'lock' ? sql`for no key update of control_limit` : sql``}`.execute(db)
  return new Map(rows.map((limit) => [limit.path, limit]))
}

/** A command that violates the limits above its valve. */
interface Violation {
  readonly refusal: OrderRefusal
  /** The valve and its allowed openings, for the error. */
  readonly text: string
}

/** Limits on a path or above it. */
const listOwn = <Limit>(limits: ReadonlyMap<string, Limit>, path: string): readonly Limit[] =>
  [...listAbove(path), path].flatMap((above) => limits.get(above) ?? [])

function findViolation(
  { deviceId, openingPct, previousPct }: RequestedCommand,
  { name, path, requestedPct }: Target,
  limits: Limits,
  isEmergency: boolean,
): Violation | undefined {
  const own = listOwn(limits, path)
  const lowest = Math.max(...own.map(({ min_opening_pct }) => min_opening_pct ?? 0))
  if (openingPct < lowest) {
    return {
      text: `${name} (≥ ${lowest} %)`,
      refusal: { deviceId, reason: 'below-minimum', minPct: lowest },
    }
  }
  const before = requestedPct ?? previousPct
  const step = Math.min(...own.map(({ max_step_pct }) => max_step_pct ?? 100))
  // The step limit does not apply to an emergency; the range does.
  if (isEmergency || before === undefined || Math.abs(openingPct - before) <= step) return undefined
  const minPct = Math.max(lowest, before - step)
  return {
    text: `${name} (${before} % ± ${step} %)`,
    refusal: { deviceId, reason: 'too-far', minPct, maxPct: Math.min(100, before + step) },
  }
}

/** A valve below limits with its last requested opening, %; null if there is none. */
interface KnownValve {
  readonly id: number
  readonly path: string
  readonly pct: number | null
}

/** Sums of the openings of the valves below a limit, %. */
interface Total {
  readonly limit: LimitRow & { readonly min_total_pct: number }
  valves: number
  before: number
  after: number
}

/** A node whose valves would be closed too far on average. */
type TooLowTotal = OrderPreview['totals'][number]

/**
 * Nodes below which the commands reduce the average opening below the minimum. The average is included only if the
 * scope covers the whole node.
 */
async function listTooLow(
  db: Database,
  limits: Limits,
  requested: ReadonlyMap<number, number>,
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
    const after = requested.get(id) ?? before
    // The opening of a valve without commands and readings is unknown: it does not count.
    if (after === undefined) continue
    for (const total of listOwn(totals, path)) {
      total.valves += 1
      total.before += before ?? after
      total.after += after
    }
  }
  return [...totals.values()].flatMap(
    ({ limit: { path, name, min_total_pct: least }, valves, before, after }) => {
      // An order that opens the valves is always allowed.
      if (valves === 0 || after >= least * valves || after >= before) return []
      const visible = covers(scope, path) ? { totalPct: Math.floor((after / valves) * 10) / 10 } : {}
      return [{ node: name, ...visible, minTotalPct: least }]
    },
  )
}

const toRequested = (commands: readonly RequestedCommand[]): ReadonlyMap<number, number> =>
  new Map(commands.map(({ deviceId, openingPct }) => [deviceId, openingPct]))

/**
 * Checks a batch against the limits of the nodes above its devices, which must be locked; the strictest limit counts.
 * Throws command.outside-limits with every affected valve, or command.total-too-low.
 */
export async function checkNetworkLimits(
  transaction: Transaction<Tables>,
  { priority, scope }: Pick<NewBatch, 'priority' | 'scope'>,
  commands: readonly RequestedCommand[],
  findOpening: FindOpening,
): Promise<void> {
  if (commands.length === 0) return
  const targets = await findTargets(transaction, commands)
  const limits = await findLimitsAbove(transaction, targets, 'lock')
  if (limits.size === 0) return
  const violations = listViolations(commands, targets, limits, priority)
  if (violations.length > 0) {
    throw new AppError('command.outside-limits', toNamed(violations.map(({ text }) => text)))
  }
  const [tooLow] = await listTooLow(transaction, limits, toRequested(commands), scope, findOpening)
  if (!tooLow) return
  const { totalPct = '…', ...params } = tooLow
  throw new AppError('command.total-too-low', { ...params, totalPct })
}

function listViolations(
  commands: readonly RequestedCommand[],
  targets: ReadonlyMap<number, Target>,
  limits: Limits,
  priority: CommandPriority,
): readonly Violation[] {
  return commands.flatMap((command) => {
    const target = targets.get(command.deviceId)
    return (target && findViolation(command, target, limits, priority === 'emergency')) ?? []
  })
}

/** Checks commands against the limits above them without locks. The totals exclude refused commands. */
export async function previewNetworkLimits(
  db: Database,
  { priority, scope }: Pick<NewBatch, 'priority' | 'scope'>,
  commands: readonly RequestedCommand[],
  findOpening: FindOpening,
): Promise<{ readonly refused: OrderRefusal[]; readonly totals: TooLowTotal[] }> {
  const targets = await findTargets(db, commands)
  const limits = await findLimitsAbove(db, targets, 'read')
  const refused = limits.size === 0 ? [] : listViolations(commands, targets, limits, priority)
  const refusedIds = new Set(refused.map(({ refusal }) => refusal.deviceId))
  const left = toRequested(commands.filter(({ deviceId }) => !refusedIds.has(deviceId)))
  const totals = await listTooLow(db, limits, left, scope, findOpening)
  return { refused: refused.map(({ refusal }) => refusal), totals }
}
