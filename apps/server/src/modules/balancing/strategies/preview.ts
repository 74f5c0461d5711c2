import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type {
  SequencePlan,
  StrategyIndex,
  StrategyPlan,
  StrategyPreview,
} from '@isotherm/contract/balancing/strategies'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import { createTimeZone } from '../../../platform/time-zone.ts'
import type { NetworkService } from '../../network/index.ts'
import type { Place } from '../loop/place.ts'
import type { Planner, RoundPlan } from '../plan/planner.ts'
import { requireIdentified } from '../plan/require-identified.ts'
import { readGroups } from './run/sequence-due.ts'
import type { StrategyTickNeeds } from './run/tick-needs.ts'
import { findGroupPaths } from './timeline/groups.ts'
import { asPlanned, isBeyond, toIndex } from './timeline/indices.ts'
import { toMode, toSlotMode, toSlowTrimMode } from './timeline/modes.ts'
import { findTimeConstant, type TimeConstant } from './timeline/preheat.ts'
import { findPumpStay, toSlotHead } from './timeline/week-heads.ts'
import { listWeekChanges } from './timeline/week-preview.ts'

export interface PreviewNeeds extends Pick<StrategyTickNeeds, 'readSnapshot'> {
  readonly planner: Pick<Planner, 'findPlace' | 'plan' | 'planAll'>
  readonly network: Pick<NetworkService, 'findParts'>
  readonly clock: Pick<Clock, 'now'>
  /** Time zone of a company. */
  readonly findTimeZone: (companyId: number) => Promise<string>
}

/** Maximum number of different level sets of a week for which a plan is made; the preview has no head for the others. */
const MAX_SOLVED = 16

const wouldOf = (
  plan: StrategyPlan,
  { steps }: RoundPlan,
  index: StrategyIndex | undefined,
): StrategyPreview['would'] => {
  if (plan.kind !== 'sequence' && index && !isBeyond(index)) return 'within'
  return steps.length === 0 ? 'nothing-to-move' : 'begin'
}

/** Preview fields that every kind takes from its present plan. */
function toPreview(
  plan: StrategyPlan,
  mode: BalanceMode,
  { stationName }: Place,
  round: RoundPlan,
): StrategyPreview {
  const index = toIndex(plan, mode, asPlanned(round))
  const { before, expected } = round.indices
  return {
    stationName,
    at: round.plannedAt,
    would: wouldOf(plan, round, index),
    ...(index ? { index } : {}),
    ...(mode.kind === 'energy' ? { heatWM2: mode.heatWM2 } : {}),
    flows: round.flows,
    settleMs: round.settleMs,
    station: round.station,
    moves: round.steps.reduce((sum, { moves }) => sum + moves.length, 0),
    indices: { before, expected },
    members: [...round.members],
  }
}

const toTimeConstant = ({ hours, by, lowHours, highHours }: TimeConstant) => ({
  timeConstantH: hours,
  timeConstantBy: by,
  ...(lowHours === undefined ? {} : { timeConstantLowH: lowHours }),
  ...(highHours === undefined ? {} : { timeConstantHighH: highHours }),
})

/** Dry runs of strategies: plans what they would do now, with the planner of real campaigns. */
export function createPreview(needs: PreviewNeeds) {
  const { planner, clock, network } = needs

  async function previewSequence(place: Place, plan: SequencePlan): Promise<StrategyPreview> {
    const now = clock.now()
    const timeZone = await needs.findTimeZone(place.companyId)
    const zone = createTimeZone(timeZone)
    const seen = await readGroups(needs, place.node, plan)
    const changes = listWeekChanges(plan, seen, { zone, now })
    const modes = new Map(
      changes.map(({ levels }) => {
        const mode = toSlotMode(
          plan,
          levels.map((level) => ({ level })),
        )
        return [JSON.stringify(levels), mode] as const
      }),
    )
    const solved = [...modes].slice(0, MAX_SOLVED)
    const rounds = await planner.planAll(
      place,
      solved.map(([, mode]) => mode),
    )
    const roundOf = new Map(solved.map(([key], index) => [key, rounds[index]]))
    const [first] = solved
    const [round] = rounds
    if (!first || !round) throw new Error('the week has no slot')
    const pumpStays = findPumpStay(rounds)
    const [snapshot, paths] = await Promise.all([needs.readSnapshot(place), findGroupPaths(network, plan)])
    return {
      ...toPreview(plan, first[1], place, round),
      week: {
        timeZone,
        ...(pumpStays === undefined ? {} : { pumpStays }),
        changes: changes.map((change) => {
          const slot = roundOf.get(JSON.stringify(change.levels))
          const headKpa = slot && toSlotHead(slot)
          const { advisedHeadKpa, expected } = slot?.station ?? {}
          return {
            ...change,
            ...(headKpa === undefined ? {} : { headKpa }),
            ...(advisedHeadKpa === undefined ? {} : { advisedHeadKpa }),
            ...(expected?.flowM3H === undefined ? {} : { flowM3H: expected.flowM3H }),
          }
        }),
        groups: plan.groups.map((group, index) => {
          const places = paths[index] ?? []
          const roomC = snapshot.roomC(places)
          const constant = findTimeConstant(group, seen[index]?.timeConstant)
          return {
            valves: snapshot.countValves(places),
            ...(roomC === undefined ? {} : { roomC }),
            ...(constant ? toTimeConstant(constant) : {}),
          }
        }),
      },
    }
  }

  /** Throws balance.not-measured, balance.no-weather, balance.not-identified. */
  return async (place: Place, plan: StrategyPlan): Promise<StrategyPreview> => {
    if (plan.kind === 'sequence') return previewSequence(place, plan)
    const outdoorC = plan.kind === 'energy' ? (await needs.readSnapshot(place)).outdoorC : undefined
    const mode = toMode(plan, outdoorC)
    if (!mode) throw new AppError('balance.no-weather', { node: place.nodeName })
    const planned = await planner.plan(place, mode)
    const preview = toPreview(plan, mode, place, planned)
    if (preview.would === 'begin') requireIdentified(planned)
    const slow = preview.would === 'within' ? toSlowTrimMode(plan) : undefined
    const round = slow && (await planner.plan(place, slow))
    if (!round || round.steps.length === 0) return preview
    requireIdentified(round)
    return { ...toPreview(plan, slow, place, round), would: 'slow-trim' }
  }
}
