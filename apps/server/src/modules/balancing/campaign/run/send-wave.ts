import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import { toOrderReason } from '@isotherm/contract/balancing/campaign-order'
import { AppError } from '../../../../platform/app-error.ts'
import type { Call } from '../../../../platform/http/call.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { CommandsService, ExtraWrites } from '../../../commands/index.ts'
import type { DevicesService } from '../../../devices/index.ts'
import { type LeasedCampaign, lockLeased, recordSent } from '../storage/campaign-changes.pg.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'
import {
  isHeadOrderedSince,
  listOrderedSince,
  listQueued,
  requireUntouched,
} from '../storage/campaign-rounds.pg.ts'
import { requireHeads, requireOrders } from './require-orders.ts'
import { findRollbackHead } from './rollback-head.ts'

export interface SendNeeds {
  readonly db: Database
  readonly commands: Pick<CommandsService, 'send' | 'preview' | 'cancelUntried' | 'setHead' | 'requireHead'>
  readonly findDevices: DevicesService['findDevices']
}

type Acting = Pick<Call, 'caller' | 'operation'>
type Target = { readonly deviceId: number; readonly openingPct: number }

/** Result of sending a wave: sent, nothing to send, or refused by commands. */
export type SentWave = { readonly kind: 'sent' | 'nothing' } | Extract<CampaignAbort, { kind: 'refused' }>

const toTargets = ({ moves }: StoredStep): readonly Target[] =>
  moves.map(({ deviceId, toPct }) => ({ deviceId, openingPct: toPct }))

/** Valves of a rollback or take-back that accept a command and got no other command since. */
async function listAvailable(
  { db, commands, findDevices }: SendNeeds,
  { id: campaignId }: LeasedCampaign,
  { caller }: Acting,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const commandedSince = await listOrderedSince(db, campaignId)
  const ids = targets.map(({ deviceId }) => deviceId)
  const there = new Set((await findDevices(caller.scope, ids)).map(({ id }) => id))
  const known = targets.filter(({ deviceId }) => there.has(deviceId) && !commandedSince.has(deviceId))
  if (known.length === 0) return []
  const { refused } = await commands.preview(caller, { targets: [...known], priority: 'balancing' })
  const isRefused = new Set(refused.map(({ deviceId }) => deviceId))
  return known.filter(({ deviceId }) => !isRefused.has(deviceId))
}

/** Cancels commands of the campaign to these devices that were not sent yet. Throws LostCampaign. */
async function cancelQueued(
  { db, commands }: SendNeeds,
  campaign: LeasedCampaign,
  acting: Acting,
  deviceIds: readonly number[],
): Promise<void> {
  const queued = deviceIds.length === 0 ? [] : await listQueued(db, campaign.id, deviceIds)
  if (queued.length === 0) return
  await commands.cancelUntried(acting, queued, (transaction) =>
    lockLeased(transaction, campaign.id, campaign.worker),
  )
}

/**
 * Leaves out the valves of a rollback that accept no command, or got another one since, so that they do not block the
 * others. Commands of the campaign to them that were not sent yet are cancelled. Throws LostCampaign.
 */
async function skipUnavailable(
  needs: SendNeeds,
  campaign: LeasedCampaign,
  acting: Acting,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const available = await listAvailable(needs, campaign, acting, targets)
  const isAvailable = new Set(available)
  const left = targets.filter((target) => !isAvailable.has(target)).map(({ deviceId }) => deviceId)
  await cancelQueued(needs, campaign, acting, left)
  return available
}

/** Throws the errors with which commands would refuse any wave of a round. */
async function requireWholeRound(
  { commands, findDevices }: SendNeeds,
  { caller }: Acting,
  targets: readonly Target[],
): Promise<void> {
  const ids = targets.map(({ deviceId }) => deviceId)
  const names = new Map((await findDevices(caller.scope, ids)).map(({ id, name }) => [id, name]))
  await requireOrders(commands, caller, targets, (id) => names.get(id) ?? String(id))
}

/** The campaign of a wave, and all waves of its round. */
interface WaveContext {
  readonly campaign: LeasedCampaign
  readonly steps: readonly StoredStep[]
}

/**
 * Head for the pump in a rollback, if it got no other command since; otherwise its queued commands are cancelled.
 */
async function findAcceptedHead(
  needs: SendNeeds,
  campaign: LeasedCampaign,
  acting: Acting,
  pump: PumpMove,
): Promise<PumpMove | undefined> {
  const isOthers = await isHeadOrderedSince(needs.db, campaign.id, pump.deviceId)
  const head = isOthers ? undefined : await findRollbackHead(needs.commands, acting.caller, pump)
  if (!head) await cancelQueued(needs, campaign, acting, [pump.deviceId])
  return head
}

/** The command of a wave, and the head it sets, if any. */
interface WaveOrder {
  readonly pump?: PumpMove
  readonly send: (reason: string, extraWrites: ExtraWrites) => Promise<unknown>
}

/** Whether a wave returns devices to where they were: those that somebody else commanded since are left out. */
const returns = ({ kind }: StoredStep): boolean => kind === 'back' || kind === 'take-back'

/** The command of a wave; undefined if there is nothing to send. */
async function findOrder(
  needs: SendNeeds,
  { campaign }: WaveContext,
  step: StoredStep,
  acting: Acting,
): Promise<WaveOrder | undefined> {
  const isReturn = returns(step)
  if (step.pump) {
    const pump = isReturn ? await findAcceptedHead(needs, campaign, acting, step.pump) : step.pump
    if (!pump) return undefined
    const order = { deviceId: pump.deviceId, headKpa: pump.toKpa, priority: 'balancing' } as const
    return {
      pump,
      send: (reason, extraWrites) => needs.commands.setHead(acting, { ...order, reason }, extraWrites),
    }
  }
  const all = toTargets(step)
  const targets = isReturn ? await skipUnavailable(needs, campaign, acting, all) : all
  if (targets.length === 0) return undefined
  const order = { targets: [...targets], priority: 'balancing' as const }
  return { send: (reason, extraWrites) => needs.commands.send(acting, { ...order, reason }, extraWrites) }
}

/** Sends a wave to commands and stores it with its batch, both or neither. Throws LostCampaign. */
export async function sendWave(
  needs: SendNeeds,
  context: WaveContext,
  step: StoredStep,
  acting: Acting,
): Promise<SentWave> {
  const { campaign, steps } = context
  const isReturn = returns(step)
  try {
    // A round is not started if a later wave would be refused.
    if (!isReturn && steps.every(({ state }) => state === 'waiting')) {
      await requireHeads(needs.commands, acting.caller, steps)
      await requireWholeRound(needs, acting, steps.flatMap(toTargets))
    }
    const order = await findOrder(needs, context, step, acting)
    if (!order) return { kind: 'nothing' }
    const { round, step: wave, kind } = step
    const reason = toOrderReason({ campaign: campaign.id, round, wave, kind })
    await order.send(reason, async (transaction, batchId) => {
      if (!isReturn) await requireUntouched(transaction, campaign)
      await recordSent(transaction, campaign, step, { batchId, at: acting.operation.at, pump: order.pump })
    })
    return { kind: 'sent' }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'refused', code: error.code, params: { ...error.params } }
    throw error
  }
}
