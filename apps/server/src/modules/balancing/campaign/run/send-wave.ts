import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import { toOrderReason } from '@isotherm/contract/balancing/campaign-order'
import { AppError } from '../../../../platform/app-error.ts'
import type { Call } from '../../../../platform/http/call.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { CommandsService, ExtraWrites } from '../../../commands/index.ts'
import type { DevicesService } from '../../../devices/index.ts'
import { type HeldCampaign, holdCampaign, noteGiven } from '../storage/campaign-changes.pg.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'
import {
  isHeadOrderedSince,
  listOrderedSince,
  listQueued,
  requireUntouched,
} from '../storage/campaign-rounds.pg.ts'
import { requireHeads, requireOrders } from './require-orders.ts'
import { findHeadBack } from './rollback-head.ts'

export interface GiveNeeds {
  readonly db: Database
  readonly commands: Pick<CommandsService, 'send' | 'preview' | 'cancelUntried' | 'setHead' | 'requireHead'>
  readonly findDevices: DevicesService['findDevices']
}

type Acting = Pick<Call, 'caller' | 'operation'>
type Target = { readonly deviceId: number; readonly openingPct: number }

/** What became of a wave: it was given, there was nothing of it to be given, or commands refused it. */
export type GivenWave = { readonly kind: 'given' | 'nothing' } | Extract<CampaignAbort, { kind: 'refused' }>

const toTargets = ({ moves }: StoredStep): readonly Target[] =>
  moves.map(({ deviceId, toPct }) => ({ deviceId, openingPct: toPct }))

/** What can be told something on the way back, and was told nothing else since. */
async function listTakers(
  { db, commands, findDevices }: GiveNeeds,
  { id: campaignId }: HeldCampaign,
  { caller }: Acting,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const orderedSince = await listOrderedSince(db, campaignId)
  const ids = targets.map(({ deviceId }) => deviceId)
  const there = new Set((await findDevices(caller.scope, ids)).map(({ id }) => id))
  const known = targets.filter(({ deviceId }) => there.has(deviceId) && !orderedSince.has(deviceId))
  if (known.length === 0) return []
  const { refused } = await commands.preview(caller, { targets: [...known], priority: 'balancing' })
  const isRefused = new Set(refused.map(({ deviceId }) => deviceId))
  return known.filter(({ deviceId }) => !isRefused.has(deviceId))
}

/** Cancels what the campaign ordered of devices and nobody has tried to bring. Throws LostCampaign. */
async function cancelQueued(
  { db, commands }: GiveNeeds,
  campaign: HeldCampaign,
  acting: Acting,
  deviceIds: readonly number[],
): Promise<void> {
  const queued = deviceIds.length === 0 ? [] : await listQueued(db, campaign.id, deviceIds)
  if (queued.length === 0) return
  await commands.cancelUntried(acting, queued, (transaction) =>
    holdCampaign(transaction, campaign.id, campaign.worker),
  )
}

/**
 * On the way back, what cannot be told anything, or was told otherwise since, is left as it is and keeps nothing else from
 * going back: what the campaign ordered of it and nobody has tried to bring is cancelled. Throws LostCampaign.
 */
async function leaveOutRefused(
  needs: GiveNeeds,
  campaign: HeldCampaign,
  acting: Acting,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const takers = await listTakers(needs, campaign, acting, targets)
  const taking = new Set(takers)
  const left = targets.filter((target) => !taking.has(target)).map(({ deviceId }) => deviceId)
  await cancelQueued(needs, campaign, acting, left)
  return takers
}

/** Throws what commands would refuse any wave of a round with. */
async function requireWholeRound(
  { commands, findDevices }: GiveNeeds,
  { caller }: Acting,
  targets: readonly Target[],
): Promise<void> {
  const ids = targets.map(({ deviceId }) => deviceId)
  const names = new Map((await findDevices(caller.scope, ids)).map(({ id, name }) => [id, name]))
  await requireOrders(commands, caller, targets, (id) => names.get(id) ?? String(id))
}

/** The campaign a wave is of, and all waves of its round. */
interface Giving {
  readonly campaign: HeldCampaign
  readonly steps: readonly StoredStep[]
}

/** The head that the pump can be told on the way back, if it was told nothing else since; else what waits for it is cancelled. */
async function findTakenHead(
  needs: GiveNeeds,
  campaign: HeldCampaign,
  acting: Acting,
  pump: PumpMove,
): Promise<PumpMove | undefined> {
  const isOthers = await isHeadOrderedSince(needs.db, campaign.id, pump.deviceId)
  const head = isOthers ? undefined : await findHeadBack(needs.commands, acting.caller, pump)
  if (!head) await cancelQueued(needs, campaign, acting, [pump.deviceId])
  return head
}

/** What gives a wave, and the head that it tells, if it does. */
interface WaveOrder {
  readonly pump?: PumpMove
  readonly give: (reason: string, beside: ExtraWrites) => Promise<unknown>
}

/** What is to be given of a wave; undefined where there is nothing of it. */
async function findOrder(
  needs: GiveNeeds,
  { campaign }: Giving,
  step: StoredStep,
  acting: Acting,
): Promise<WaveOrder | undefined> {
  const isBack = step.kind === 'back'
  if (step.pump) {
    const pump = isBack ? await findTakenHead(needs, campaign, acting, step.pump) : step.pump
    if (!pump) return undefined
    const order = { deviceId: pump.deviceId, headKpa: pump.toKpa, priority: 'balancing' } as const
    return { pump, give: (reason, beside) => needs.commands.setHead(acting, { ...order, reason }, beside) }
  }
  const all = toTargets(step)
  const targets = isBack ? await leaveOutRefused(needs, campaign, acting, all) : all
  if (targets.length === 0) return undefined
  const order = { targets: [...targets], priority: 'balancing' as const }
  return { give: (reason, beside) => needs.commands.send(acting, { ...order, reason }, beside) }
}

/** Gives a wave to commands and notes it with its batch, both or neither. Throws LostCampaign. */
export async function giveWave(
  needs: GiveNeeds,
  giving: Giving,
  step: StoredStep,
  acting: Acting,
): Promise<GivenWave> {
  const { campaign, steps } = giving
  const isBack = step.kind === 'back'
  try {
    // None of a round is given of which a later wave would be refused.
    if (!isBack && steps.every(({ state }) => state === 'waiting')) {
      await requireHeads(needs.commands, acting.caller, steps)
      await requireWholeRound(needs, acting, steps.flatMap(toTargets))
    }
    const order = await findOrder(needs, giving, step, acting)
    if (!order) return { kind: 'nothing' }
    const { round, step: wave, kind } = step
    const reason = toOrderReason({ campaign: campaign.id, round, wave, kind })
    await order.give(reason, async (transaction, batchId) => {
      if (!isBack) await requireUntouched(transaction, campaign)
      await noteGiven(transaction, campaign, step, { batchId, at: acting.operation.at, pump: order.pump })
    })
    return { kind: 'given' }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'refused', code: error.code, params: { ...error.params } }
    throw error
  }
}
