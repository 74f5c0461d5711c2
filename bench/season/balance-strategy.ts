import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { StrategyOutcome, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { errorParams } from '@isotherm/contract/errors'
import type { RoundPlan } from '../../apps/server/src/modules/balancing/plan/planner.ts'
import { isSlowTrim } from '../../apps/server/src/modules/balancing/plan/trim-base.ts'
import { UNMEASURED } from '../../apps/server/src/modules/balancing/strategies/run/hindrance.ts'
import { toRetryAt } from '../../apps/server/src/modules/balancing/strategies/run/retry.ts'
import type { Hindrance } from '../../apps/server/src/modules/balancing/strategies/run/tick-needs.ts'
import {
  asPlanned,
  isBeyond,
  toIndex,
} from '../../apps/server/src/modules/balancing/strategies/timeline/indices.ts'
import { toMode, toSlowTrimMode } from '../../apps/server/src/modules/balancing/strategies/timeline/modes.ts'
import { type DoneRound, executeRound, orRefused, type RefusedRound } from '../foreign/drive/campaign.ts'
import type { AcceptedRound, ForeignPlanner } from '../foreign/drive/controller.ts'
import { nowOf } from '../foreign/drive/readings.ts'
import type { Site } from '../foreign/plant/site.ts'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** Plans leave out the culprits of aborted rounds for this long. */
const CULPRIT_S = 14 * DAY_S

/** A plan of a strategy that checks at intervals. */
export type CheckingPlan = Exclude<StrategyPlan, { kind: 'sequence' }>

/** A strategy on a site, and its state between two ticks. */
export interface BalanceStrategy {
  readonly plan: CheckingPlan
  readonly rounds: DoneRound[]
  accepted: AcceptedRound | undefined
  last: StrategyOutcome | null
  /** When it ticks next, s since the start of the plant. */
  nextS: number
  /** The strategy has halted. In the product only a person could start it again. */
  hasHalted: boolean
  /** Number of outcomes by kind, for the notes. */
  readonly outcomes: Map<string, number>
}

export const createStrategy = (plan: CheckingPlan, startS: number): BalanceStrategy => ({
  plan,
  rounds: [],
  accepted: undefined,
  last: null,
  nextS: startS,
  hasHalted: false,
  outcomes: new Map(),
})

const isRefused = (planned: RoundPlan | RefusedRound): planned is RefusedRound => 'code' in planned

/**
 * One tick of a strategy: a check, and if needed a campaign with its trims until it is accepted or aborts. Copies the steps
 * of `apps/server/src/modules/balancing/strategies/run` without database and commands: change both together.
 */
export async function tickStrategy(
  strategy: BalanceStrategy,
  site: Site,
  planner: ForeignPlanner,
): Promise<void> {
  const { plan: wanted, rounds } = strategy
  const { plant } = site
  const recent = (): DoneRound[] => rounds.filter(({ endedS }) => plant.timeS - endedS < CULPRIT_S)

  function note(outcome: Omit<StrategyOutcome, 'at'>, nextS: number): void {
    strategy.last = { ...outcome, at: nowOf(site) }
    strategy.nextS = nextS
    const name = outcome.code ? `${outcome.kind} ${outcome.code}` : outcome.kind
    strategy.outcomes.set(name, (strategy.outcomes.get(name) ?? 0) + 1)
  }

  function hinder({ code, params }: RefusedRound): void {
    const hindrance: Hindrance = {
      kind: UNMEASURED.has(code) ? 'not-measured' : 'refused',
      code,
      params: errorParams.parse(params),
    }
    const now = nowOf(site)
    note(hindrance, plant.timeS + (toRetryAt(strategy.last, hindrance, now) - now) / 1000)
  }

  /** Carries out a campaign. `trims` further rounds follow while the index is beyond its dead band. */
  async function carryOut(mode: BalanceMode, first: RoundPlan, trims: number): Promise<void> {
    let next = first
    for (let round = 1; ; round++) {
      const done = await executeRound(site, planner, mode, next)
      rounds.push(done)
      const { verification } = done
      if (done.kind === 'aborted' || !verification) {
        strategy.hasHalted = true
        note({ kind: 'aborted', ...(done.abort ? { abort: done.abort } : {}) }, Number.POSITIVE_INFINITY)
        return
      }
      const index = toIndex(wanted, mode, { indices: verification.indices, flows: [] })
      const isOver = !index || !isBeyond(index) || round > trims
      const trim = isOver ? undefined : await orRefused(planner.trim(mode, recent(), verification.memory))
      if (trim && !isRefused(trim) && trim.steps.length > 0) {
        next = trim
        continue
      }
      strategy.accepted = { plan: next, endedS: plant.timeS }
      note({ kind: 'done' }, plant.timeS + wanted.everyHours * HOUR_S)
      return
    }
  }

  if (strategy.hasHalted) return
  const mode = toMode(wanted, undefined)
  if (!mode) return
  const checked = plant.timeS + wanted.everyHours * HOUR_S
  const planned = await orRefused(planner.plan(mode, recent()))
  if (isRefused(planned)) return hinder(planned)
  const index = toIndex(wanted, mode, asPlanned(planned))
  if (!index) return hinder({ kind: 'refused', code: 'balance.not-measured', params: {} })
  if (isBeyond(index)) {
    if (planned.steps.length === 0) return note({ kind: 'nothing-to-move', index }, checked)
    return carryOut(mode, planned, wanted.trims)
  }
  const slow = toSlowTrimMode(wanted)
  const drifted = slow && (await orRefused(planner.plan(slow, recent(), strategy.accepted)))
  if (!slow || !drifted || isRefused(drifted) || drifted.steps.length === 0)
    return note({ kind: 'within', index }, checked)
  return carryOut(slow, drifted, isSlowTrim(slow) ? 0 : wanted.trims)
}
