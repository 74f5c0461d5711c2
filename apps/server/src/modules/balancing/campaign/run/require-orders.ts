import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { OrderPreview, RefusalReason } from '@isotherm/contract/order-preview'
import { AppError } from '../../../../platform/app-error.ts'
import type { Caller } from '../../../../platform/http/call.ts'
import type { CommandsService } from '../../../commands/index.ts'
import type { RoundPlan } from '../../plan/planner.ts'
import { requireIdentified } from '../../plan/require-identified.ts'

/** Error code for each reason for which commands refuse a valve. */
const refusalCodes = {
  'not-a-valve': 'device.not-controllable',
  retired: 'device.not-controllable',
  'switched-off': 'device.not-controllable',
  'outside-limits': 'command.outside-limits',
  'below-minimum': 'command.outside-limits',
  'too-far': 'command.outside-limits',
  held: 'command.held',
} as const satisfies Readonly<Record<RefusalReason, AppError['code']>>

/** Maximum number of valves named in an error; the others are counted. */
const MAX_NAMED = 5

/** Error with which an order would be refused, from its preview; the first of several reasons. */
function toRefusal(
  { refused, totals }: OrderPreview,
  nameOf: (deviceId: number) => string,
): AppError | undefined {
  const [first] = refused
  if (first) {
    const code = refusalCodes[first.reason]
    const alike = refused.filter(({ reason }) => refusalCodes[reason] === code)
    const names = alike.slice(0, MAX_NAMED).map(({ deviceId }) => nameOf(deviceId))
    const devices = [...names, ...(alike.length > MAX_NAMED ? ['…'] : [])].join(', ')
    return new AppError(code, { count: alike.length, devices, device: devices })
  }
  const [low] = totals
  if (!low) return undefined
  const { node, totalPct = '–', minTotalPct } = low
  return new AppError('command.total-too-low', { node, totalPct, minTotalPct })
}

/**
 * Checks that commands would accept every wave of a round now: a refusal in the middle would leave the loop between
 * two balances. Throws command.outside-limits, command.held, command.total-too-low, device.not-controllable,
 * device.not-found.
 */
export async function requireOrders(
  { preview }: Pick<CommandsService, 'preview'>,
  caller: Caller,
  targets: readonly { readonly deviceId: number; readonly openingPct: number }[],
  nameOf: (deviceId: number) => string,
): Promise<void> {
  if (targets.length === 0) return
  const found = await preview(caller, { targets: [...targets], priority: 'balancing' })
  const refusal = toRefusal(found, nameOf)
  if (refusal) throw refusal
}

/** Throws the errors with which commands would refuse the heads of a round. */
export async function requireHeads(
  commands: Pick<CommandsService, 'requireHead'>,
  caller: Caller,
  steps: readonly { readonly pump?: PumpMove | null | undefined }[],
): Promise<void> {
  for (const { pump } of steps) {
    if (!pump) continue
    const order = { deviceId: pump.deviceId, headKpa: pump.toKpa, priority: 'balancing' } as const
    await commands.requireHead(caller, order)
  }
}

/**
 * Throws balance.not-identified for a new round that expects worse, and the errors with which commands would refuse any
 * wave of it.
 */
export async function requireRound(
  commands: Pick<CommandsService, 'preview' | 'requireHead'>,
  caller: Caller,
  { steps, members, refusal }: Pick<RoundPlan, 'steps' | 'members' | 'refusal'>,
): Promise<void> {
  requireIdentified({ refusal })
  const nameOf = new Map(members.map(({ deviceId, deviceName }) => [deviceId, deviceName]))
  const moves = steps.flatMap((step) => step.moves)
  await requireHeads(commands, caller, steps)
  await requireOrders(
    commands,
    caller,
    moves.map(({ deviceId, toPct }) => ({ deviceId, openingPct: toPct })),
    (deviceId) => nameOf.get(deviceId) ?? String(deviceId),
  )
}
