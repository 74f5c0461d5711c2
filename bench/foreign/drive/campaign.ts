import type { BalanceMode, CampaignAbort } from '@isotherm/contract/balancing/campaign'
import {
  type FoundTakeBack,
  findEasing,
  findTakeBack,
  listStarved,
} from '../../../apps/server/src/modules/balancing/campaign/run/find-take-back.ts'
import {
  judgeRound,
  judgeWave,
  type RoundVerdict,
} from '../../../apps/server/src/modules/balancing/campaign/run/judge.ts'
import type { StoredStep } from '../../../apps/server/src/modules/balancing/campaign/storage/campaign-rounds.pg.ts'
import { toRollback } from '../../../apps/server/src/modules/balancing/campaign/storage/rollback-waves.ts'
import type { RoundPlan, Verification } from '../../../apps/server/src/modules/balancing/plan/planner.ts'
import { AppError } from '../../../apps/server/src/platform/app-error.ts'
import { FLATS_PER_BUILDING } from '../plant/build-flats.ts'
import { command, commandHead, live, type Site, truthBefore } from '../plant/site.ts'
import type { ForeignPlanner } from './controller.ts'
import { nowOf } from './readings.ts'
import { buildingOf, place, sensorId } from './registry.ts'

/** A round that was carried out as far as it came. */
export interface DoneRound {
  readonly kind: 'verified' | 'aborted'
  readonly plan: RoundPlan
  readonly abort?: CampaignAbort | undefined
  readonly verification?: Verification | undefined
  /** End of the last wave, s since the start of the plant. */
  readonly endedS: number
  /** True flows of buildings before and after the waves, kg/s. */
  readonly beforeKgS: Float64Array
  readonly afterKgS: Float64Array
  /** Buildings that had a measured room below the legal limit when the round was planned. */
  readonly coldBuildings: readonly number[]
  /**
   * True spread of returns in the last hour before the judgement, K: of the buildings that report, whose spread a plan
   * predicts.
   */
  readonly sigmaReturnK: number
  /** Waves that were sent, in their order, and the valves that did not confirm them: no answer, or no arrival. */
  readonly sent: readonly StoredStep[]
  readonly silent: ReadonlySet<number>
  readonly missed: ReadonlySet<number>
  /** Valves that the round closed and took back because their buildings starved. */
  readonly starved: ReadonlySet<number>
}

/** A plan that the server refused: code of the error and its parameters. */
export interface RefusedRound {
  readonly kind: 'refused'
  readonly code: string
  readonly params: Readonly<Record<string, unknown>>
}

const HOUR_S = 3600
const WAVE_S = 600
/** No wait of a wave or a round is longer. */
const MAX_WAITS = 200

const coldBuildingsOf = ({ instruments }: Site, { memory }: RoundPlan): readonly number[] => {
  const rooms = typeof memory === 'object' && memory !== null && 'rooms' in memory ? memory.rooms : undefined
  const cold = typeof rooms === 'object' && rooms !== null && 'cold' in rooms ? rooms.cold : []
  if (!Array.isArray(cold)) return []
  const flats = cold.flatMap((id: unknown) =>
    typeof id === 'number' ? (instruments.sensorFlats[id - sensorId(0)] ?? []) : [],
  )
  return [...new Set(flats.map((flat) => Math.floor(flat / FLATS_PER_BUILDING)))]
}

const flowsOf = ({ plant }: Site): Float64Array => plant.flows.branchKgS.slice(0, plant.spec.buildings.length)

const toStored = (
  steps: readonly (Pick<StoredStep, 'kind' | 'moves'> & Pick<RoundPlan['steps'][number], 'pump'>)[],
): StoredStep[] =>
  steps.map(({ kind, moves, pump }, index) => ({
    round: 1,
    step: index + 1,
    kind,
    moves,
    pump: pump ?? null,
    state: 'waiting',
    batchId: null,
    moved: 0,
    answeredAt: null,
    unanswered: 0,
    missed: [],
  }))

/** Valves that do not confirm a wave: those without an answer, and those that report another position. */
interface Unconfirmed {
  readonly silent: readonly number[]
  readonly missed: readonly number[]
}

/** Sends one wave and lets motors move. */
function sendWave(site: Site, { moves, pump }: Pick<StoredStep, 'moves' | 'pump'>): Unconfirmed {
  const unconfirmed = moves.flatMap(({ deviceId, toPct }) =>
    command(site, buildingOf(deviceId), toPct) ? [] : deviceId,
  )
  if (pump) commandHead(site, pump.toKpa)
  live(site, WAVE_S)
  const isSilent = (deviceId: number): boolean => site.instruments.faults.offline.has(buildingOf(deviceId))
  return {
    silent: unconfirmed.filter(isSilent),
    missed: unconfirmed.filter((deviceId) => !isSilent(deviceId)),
  }
}

/** Carries out a round with the server's judgement after every wave and after it has settled. */
export async function executeRound(
  site: Site,
  planner: ForeignPlanner,
  mode: BalanceMode,
  plan: RoundPlan,
): Promise<DoneRound> {
  const needs = { planner }
  const beforeKgS = flowsOf(site)
  const coldBuildings = coldBuildingsOf(site, plan)
  const steps = toStored(plan.steps)
  const silent = new Set<number>()
  const missed = new Set<number>()
  const end = (
    kind: DoneRound['kind'],
    endedS: number,
    rest: Pick<DoneRound, 'abort' | 'verification'>,
  ): DoneRound => ({
    kind,
    plan,
    endedS,
    beforeKgS,
    afterKgS: flowsOf(site),
    coldBuildings,
    sigmaReturnK: truthBefore(site, site.plant.timeS, HOUR_S, site.instruments.faults.offline).sigmaReturnK,
    sent: steps.filter(({ state }) => state === 'given' || state === 'done'),
    silent,
    missed,
    starved: listStarved(steps),
    ...rest,
  })
  /** Judges the settled round, which it waits for. */
  async function settle(settledAt: number): Promise<RoundVerdict> {
    for (let wait = 0; wait < MAX_WAITS; wait++) {
      live(site, WAVE_S)
      const verdict = await judgeRound(needs, { place, steps, now: nowOf(site) }, { plan, mode, settledAt })
      if (verdict.kind !== 'wait') return verdict
    }
    return { kind: 'abort', reason: { kind: 'not-measured' } }
  }
  const takeBack = ({ moves, dropped }: FoundTakeBack<StoredStep>, after: number): void => {
    const { length } = steps
    for (const [index, step] of steps.entries())
      if (dropped.includes(step)) steps[index] = { ...step, state: 'dropped' }
    steps.splice(after, 0, ...toStored([{ kind: 'take-back', moves }]))
    for (let index = after; index <= length; index++) {
      const step = steps[index]
      if (step) steps[index] = { ...step, step: index + 1 }
    }
  }
  /** Sends the waves that wait, each after the one before was judged. Returns why the campaign aborts, if it does. */
  async function sendWaves(): Promise<CampaignAbort | undefined> {
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index]
      if (step?.state !== 'waiting') continue
      const lost = sendWave(site, step)
      for (const deviceId of lost.silent) silent.add(deviceId)
      for (const deviceId of lost.missed) missed.add(deviceId)
      const answeredAt = nowOf(site)
      const unanswered = lost.silent.length + lost.missed.length
      const given = step.moves.length + (step.pump ? 1 : 0)
      const answered = { answeredAt, unanswered, missed: lost.missed }
      const sent: StoredStep = { ...step, ...answered, state: 'given', moved: given }
      steps[index] = sent
      for (let wait = 0; wait < MAX_WAITS; wait++) {
        live(site, WAVE_S)
        const judged = { place, steps, now: nowOf(site) }
        const verdict = await judgeWave(needs, judged, { ...answered, plan, step: sent, given })
        if (verdict.kind === 'wait') continue
        if (verdict.kind !== 'abort') break
        const found = findTakeBack(verdict.reason, steps)
        if (found.moves.length === 0) return verdict.reason
        takeBack(found, index + 1)
        break
      }
      steps[index] = { ...sent, state: 'done' }
    }
    return undefined
  }
  for (;;) {
    const reason = await sendWaves()
    if (reason) return end('aborted', site.plant.timeS, { abort: reason })
    const endedS = site.plant.timeS
    if (steps.length > 0) live(site, plan.settleMs / 1000)
    const settledAt = nowOf(site)
    const verdict = await settle(settledAt)
    const { verification } = verdict
    const found = verdict.kind === 'abort' ? findTakeBack(verdict.reason, steps) : undefined
    const eased = verdict.kind === 'go-on' ? findEasing(verification?.overClosed ?? [], steps) : []
    if (eased.length > 0) takeBack({ moves: eased, dropped: [] }, steps.length)
    else if (found && found.moves.length > 0) takeBack(found, steps.length)
    else if (verdict.kind === 'abort') return end('aborted', endedS, { abort: verdict.reason, verification })
    else return end('verified', endedS, { verification })
  }
}

/** Takes an aborted round back, wave by wave. */
export function rollBack(site: Site, { sent }: Pick<DoneRound, 'sent'>): void {
  const planned = sent.filter(({ kind }) => kind !== 'take-back')
  for (const { moves, pump } of toRollback(planned)) sendWave(site, { moves, pump: pump ?? null })
}

/** A plan, or the refusal of one. */
export async function orRefused(planned: Promise<RoundPlan>): Promise<RoundPlan | RefusedRound> {
  try {
    return await planned
  } catch (error) {
    if (error instanceof AppError) return { kind: 'refused', code: error.code, params: { ...error.params } }
    throw error
  }
}
