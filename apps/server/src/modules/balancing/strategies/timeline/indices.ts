import type { BalanceIndices, BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { StrategyIndex, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import type { RoundPlan } from '../../plan/planner.ts'

/** A valve's flow and its target, m³/h. */
interface ValveFlow {
  readonly flowM3H: number | undefined
  readonly targetM3H: number | undefined
}

/** √(Σ ((ṁ − ṁ*)/ṁ*)²/n); undefined where no flow is known. Source: docs/domain/formulas.md. */
export function flowDeviation(flows: readonly ValveFlow[]): number | undefined {
  const squares = flows.flatMap(({ flowM3H, targetM3H }) =>
    flowM3H === undefined || targetM3H === undefined || !(targetM3H > 0)
      ? []
      : [((flowM3H - targetM3H) / targetM3H) ** 2],
  )
  if (squares.length === 0) return undefined
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
}

/** √((v·q̄)² + (q̄ − q*)²)/q* of a mean q̄ with a variation v. Source: docs/domain/formulas.md. */
export function heatDeviation(
  { heatWM2, heatIntensityVariation }: BalanceIndices,
  wantedWM2: number,
): number | undefined {
  if (heatWM2 === undefined || heatIntensityVariation === undefined || !(wantedWM2 > 0)) return undefined
  return Math.hypot(heatIntensityVariation * heatWM2, heatWM2 - wantedWM2) / wantedWM2
}

/**
 * Limit of the index beyond which a strategy starts a campaign; none for a sequence, which follows the clock.
 */
function limitOf(plan: StrategyPlan): number | undefined {
  if (plan.kind === 'sequence') return undefined
  return plan.kind === 'temperature' ? plan.startAboveK : plan.startAboveShare
}

/** Data for the index of a loop: its indices, and the flows of its movable valves. */
export interface Judged {
  readonly indices: BalanceIndices
  readonly flows: readonly ValveFlow[]
}

/** The data before a round is carried out. */
export const asPlanned = ({ indices, members }: Pick<RoundPlan, 'indices' | 'members'>): Judged => ({
  indices: indices.before,
  flows: members.flatMap(({ excluded, before, targetFlowM3H }) =>
    excluded ? [] : [{ flowM3H: before.flowM3H, targetM3H: targetFlowM3H }],
  ),
})

const toValue = (mode: BalanceMode, { indices, flows }: Judged): number | undefined => {
  if (mode.kind === 'temperature') return mode.target === 'room' ? indices.sigmaRoomK : indices.sigmaReturnK
  return mode.kind === 'energy' ? heatDeviation(indices, mode.heatWM2) : flowDeviation(flows)
}

const nameOf = (mode: BalanceMode): StrategyIndex['name'] => {
  if (mode.kind === 'temperature') return mode.target === 'room' ? 'sigmaRoomK' : 'sigmaReturnK'
  return mode.kind === 'energy' ? 'heatDeviation' : 'flowDeviation'
}

/** The index that a strategy compares with its limit; undefined without its readings. */
export function toIndex(plan: StrategyPlan, mode: BalanceMode, judged: Judged): StrategyIndex | undefined {
  const value = toValue(mode, judged)
  const limit = limitOf(plan)
  if (value === undefined || !Number.isFinite(value)) return undefined
  return { name: nameOf(mode), value, ...(limit === undefined ? {} : { limit }) }
}

/** Whether an index requires a campaign. */
export const isBeyond = ({ value, limit }: StrategyIndex): boolean => limit === undefined || value > limit
