import { AppError } from '../../platform/app-error.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { CommandsService } from '../commands/index.ts'
import type { RoundPlan } from './planner.ts'

/** So many valves are named; the others are counted. */
const MOST_NAMED = 5

/**
 * Whether commands would take every wave of a round now: one that is refused half way leaves a loop between two
 * balances. Throws command.outside-limits, device.not-found.
 */
export async function requireOrders(
  { preview }: Pick<CommandsService, 'preview'>,
  caller: Caller,
  { steps, members }: Pick<RoundPlan, 'steps' | 'members'>,
): Promise<void> {
  const openings = new Map(
    steps.flatMap(({ moves }) => moves.map(({ deviceId, toPct }) => [deviceId, toPct] as const)),
  )
  if (openings.size === 0) return
  const targets = [...openings].map(([deviceId, openingPct]) => ({ deviceId, openingPct }))
  const { refused, totals } = await preview(caller, { targets, priority: 'balancing' })
  const nameOf = new Map(members.map(({ deviceId, deviceName }) => [deviceId, deviceName]))
  const names = [
    ...refused.map(({ deviceId }) => nameOf.get(deviceId) ?? String(deviceId)),
    ...totals.map(({ node, minTotalPct }) => `${node} (≥ ${minTotalPct} %)`),
  ]
  if (names.length === 0) return
  const devices = [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ')
  throw new AppError('command.outside-limits', { count: names.length, devices })
}
