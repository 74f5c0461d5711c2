import type { RefusalReason } from '@isotherm/contract/order-preview'
import { AppError } from '../../platform/app-error.ts'
import type { Database } from '../../platform/database.pg.ts'
import type { Call } from '../../platform/http/call.ts'
import type { CommandsService } from '../commands/index.ts'
import type { DevicesService } from '../devices/index.ts'
import type { StoredStep } from './rounds.pg.ts'
import { type HeldCampaign, noteGiven, requireUntouched } from './run-store.pg.ts'

export interface GiveNeeds {
  readonly db: Database
  readonly commands: Pick<CommandsService, 'give' | 'preview'>
  readonly findDevices: DevicesService['findDevices']
}

type Acting = Pick<Call, 'caller' | 'operation'>
type Target = { readonly deviceId: number; readonly openingPct: number }

/** What became of a wave: it was given, there was nothing of it to be given, or commands refused it. */
export type GivenWave =
  | { readonly kind: 'given' | 'nothing' }
  | { readonly kind: 'refused'; readonly code: AppError['code'] }

const toTargets = ({ moves }: StoredStep): readonly Target[] =>
  moves.map(({ deviceId, toPct }) => ({ deviceId, openingPct: toPct }))

/** On the way back, what cannot be told anything is left where it is and keeps nothing else from going back. */
async function leaveOutRefused(
  { commands, findDevices }: GiveNeeds,
  { caller }: Acting,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const ids = targets.map(({ deviceId }) => deviceId)
  const there = new Set((await findDevices(caller.scope, ids)).map(({ id }) => id))
  const known = targets.filter(({ deviceId }) => there.has(deviceId))
  if (known.length === 0) return []
  const { refused } = await commands.preview(caller, { targets: [...known], priority: 'balancing' })
  const isRefused = new Set(refused.map(({ deviceId }) => deviceId))
  return known.filter(({ deviceId }) => !isRefused.has(deviceId))
}

/** By which error commands would refuse a valve. */
const refusalCodes: Readonly<Record<RefusalReason, AppError['code']>> = {
  'not-a-valve': 'device.not-controllable',
  retired: 'device.not-controllable',
  'switched-off': 'device.not-controllable',
  'outside-limits': 'command.outside-limits',
  'below-minimum': 'command.outside-limits',
  'too-far': 'command.outside-limits',
  held: 'command.held',
}

/** Throws what any wave of a round would be refused with, while none of it has been given. */
async function requireWholeRound(
  { commands }: GiveNeeds,
  { caller }: Acting,
  steps: readonly StoredStep[],
): Promise<void> {
  const { refused, totals } = await commands.preview(caller, {
    ...{ targets: steps.flatMap(toTargets), priority: 'balancing' },
  })
  const [first] = refused
  if (first) throw new AppError(refusalCodes[first.reason])
  if (totals.length > 0) throw new AppError('command.total-too-low')
}

/** The campaign a wave is of, and all waves of its round. */
interface Giving {
  readonly campaign: HeldCampaign
  readonly steps: readonly StoredStep[]
}

/** Gives a wave to commands and notes it with its batch, both or neither. Throws LostCampaign. */
export async function giveWave(
  needs: GiveNeeds,
  { campaign, steps }: Giving,
  step: StoredStep,
  acting: Acting,
): Promise<GivenWave> {
  const all = toTargets(step)
  const isBack = step.kind === 'back'
  try {
    if (!isBack && steps.every(({ state }) => state === 'waiting'))
      await requireWholeRound(needs, acting, steps)
    const targets = isBack ? await leaveOutRefused(needs, acting, all) : all
    if (targets.length === 0) return { kind: 'nothing' }
    const reason = `平衡任务 campaign ${campaign.id} · ${step.round}.${step.step} ${step.kind}`
    await needs.commands.give(
      acting,
      { targets: [...targets], reason, priority: 'balancing' },
      async (transaction, batchId) => {
        if (!isBack) await requireUntouched(transaction, campaign)
        await noteGiven(transaction, campaign, step, { batchId, at: acting.operation.at })
      },
    )
    return { kind: 'given' }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'refused', code: error.code }
    throw error
  }
}
