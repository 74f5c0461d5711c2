import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { SequencePlan, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import type { Boundary } from './timeline.ts'

/** Bounds of the contract. */
const MIN_HEAT_WM2 = 1
const MAX_HEAT_WM2 = 200

type HeatLine = Extract<StrategyPlan, { kind: 'energy' }>['line']

/**
 * q*(T_o) on the line through two points, W/m², within the allowed range. Source: docs/domain/formulas.md.
 */
export function heatAt({ cold, mild }: HeatLine, outdoorC: number): number {
  const share = (outdoorC - cold.outdoorC) / (mild.outdoorC - cold.outdoorC)
  const heatWM2 = cold.heatWM2 + share * (mild.heatWM2 - cold.heatWM2)
  return Math.min(MAX_HEAT_WM2, Math.max(MIN_HEAT_WM2, heatWM2))
}

const pumpOf = ({ pump }: Exclude<StrategyPlan, { kind: 'sequence' }>) => (pump ? { pump } : {})

/** Mode of a strategy that checks periodically; undefined if it needs the weather and there is no reading. */
export function toMode(
  plan: Exclude<StrategyPlan, { kind: 'sequence' }>,
  outdoorC: number | undefined,
): BalanceMode | undefined {
  switch (plan.kind) {
    case 'temperature': {
      const { kind, target, method } = plan
      return { kind, target, ...(method === 'proportional' && { method }), ...pumpOf(plan) }
    }
    case 'flow':
      return {
        kind: 'flow',
        ...(plan.flowKgHM2 !== undefined && { flowKgHM2: plan.flowKgHM2 }),
        ...pumpOf(plan),
      }
    case 'energy':
      return outdoorC === undefined
        ? undefined
        : {
            kind: 'energy',
            heatWM2: Math.round(10 * heatAt(plan.line, outdoorC)) / 10,
            ...pumpOf(plan),
          }
  }
}

/** Mode of the slow trim between two balances by the model; undefined if the strategy has none. */
export const toSlowTrimMode = (plan: StrategyPlan): BalanceMode | undefined =>
  plan.kind === 'temperature' && plan.slowTrim
    ? { kind: plan.kind, target: plan.target, method: 'slow-trim' }
    : undefined

/** Mode that brings the groups of a sequence to levels, in their order. */
export const toSlotMode = (
  { flowKgHM2, frostC, groups }: SequencePlan,
  held: readonly Pick<Boundary, 'level'>[],
): BalanceMode => ({
  kind: 'sequence',
  ...(flowKgHM2 === undefined ? {} : { flowKgHM2 }),
  frostC,
  groups: groups.map(({ name, nodes, base }, index) => ({
    name,
    nodes,
    level: held[index]?.level ?? base,
  })),
})
