import type { ExerciseLeftOut } from '@isotherm/contract/endpoints/control/valve-exercises'
import type { OrderRefusal } from '@isotherm/contract/order-preview'
import type { Caller } from '../../platform/http/call.ts'
import type { CommandsService } from '../commands/index.ts'

export interface Target {
  readonly deviceId: number
  readonly openingPct: number
}

export interface AcceptedTargets {
  readonly accepted: readonly Target[]
  readonly refused: ReadonlyMap<number, ExerciseLeftOut>
  /** Whether the step as a whole would be refused, because the openings of a node would become too low. */
  readonly isRefusedWhole: boolean
}

const isLeftOut = (reason: OrderRefusal['reason']): reason is ExerciseLeftOut & OrderRefusal['reason'] =>
  reason !== 'not-a-valve'

/** The nearest opening inside the allowed range; undefined if the range is not the reason. */
function toAllowed(openingPct: number, { minPct, maxPct }: OrderRefusal): number | undefined {
  if (minPct === undefined && maxPct === undefined) return undefined
  return Math.min(maxPct ?? 100, Math.max(minPct ?? 0, openingPct))
}

/**
 * The targets that would be accepted now. A target outside an allowed range is moved to its nearest end; a valve that refuses
 * that too is left out with the reason.
 */
export async function acceptTargets(
  commands: Pick<CommandsService, 'preview'>,
  caller: Caller,
  targets: readonly Target[],
): Promise<AcceptedTargets> {
  if (targets.length === 0) return { accepted: [], refused: new Map(), isRefusedWhole: false }
  const first = await commands.preview(caller, { targets: [...targets], priority: 'schedule' })
  const refusals = new Map(first.refused.map((refusal) => [refusal.deviceId, refusal]))
  const moved = targets.map((target) => {
    const refusal = refusals.get(target.deviceId)
    const openingPct = (refusal && toAllowed(target.openingPct, refusal)) ?? target.openingPct
    return { ...target, openingPct }
  })
  const { refused, totals } = await commands.preview(caller, { targets: moved, priority: 'schedule' })
  const reasons = new Map(
    refused.flatMap(({ deviceId, reason }) => (isLeftOut(reason) ? [[deviceId, reason] as const] : [])),
  )
  return {
    accepted: moved.filter(({ deviceId }) => !reasons.has(deviceId)),
    refused: reasons,
    isRefusedWhole: totals.length > 0,
  }
}
