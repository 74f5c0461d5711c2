import type { MissingRecord } from '@isotherm/balancing/plan/missing-records'
import type { PlanRefusal } from '@isotherm/balancing/plan/refuse-plan'
import type { ErrorParams } from '@isotherm/contract/errors'
import { AppError } from '../../../platform/app-error.ts'
import { toM3H } from '../measurements/measured-loop.ts'
import type { RoundPlan } from './planner.ts'

/** A figure of a refusal with its unit. */
function toFigure(reason: PlanRefusal['reason'], value: number): string {
  if (reason === 'flow') return `${toM3H(value).toFixed(1)} m³/h`
  if (reason === 'cold-rooms' || reason === 'target-flow') return `${(100 * value).toFixed(1)} %`
  return `${value.toFixed(2)} K`
}

const toHelp = ({ kind, missing, consumers }: MissingRecord): string =>
  missing === undefined ? kind : `${kind} ${missing}/${consumers}`

/** Parameters of balance.not-identified. */
export const toRefusalParams = (node: string, refusal: PlanRefusal): ErrorParams => ({
  node,
  reason: refusal.reason,
  now: toFigure(refusal.reason, refusal.now),
  expected: toFigure(refusal.reason, refusal.expected),
  help: refusal.missing.map(toHelp).join(', '),
})

/** Throws balance.not-identified for a plan that expects worse than now. */
export function requireIdentified({ refusal }: Pick<RoundPlan, 'refusal'>): void {
  if (refusal) throw new AppError('balance.not-identified', refusal)
}
