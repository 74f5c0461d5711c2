import { positionFor } from '@isotherm/balancing/backlash'
import { type MovePlan, planMoves } from '@isotherm/balancing/fewest-moves'
import { identifyLoop, USUAL_PRIOR } from '@isotherm/balancing/identify-loop'
import { type HydraulicSnapshot, pinToSnapshot } from '@isotherm/balancing/identify-snapshot'
import { type PumpFreedom, solveLoop, speedFor } from '@isotherm/balancing/loop-flows'
import type { LoopModel } from '@isotherm/balancing/loop-model'
import { reconcileFlows, virtualFlow } from '@isotherm/balancing/reconcile-flows'
import { estimateRooms } from '@isotherm/balancing/room-estimate'
import { median } from '@isotherm/balancing/statistics'
import { computeTargets, type Targets } from '@isotherm/balancing/targets'
import { isProof, planTests } from '@isotherm/balancing/test-moves'
import { type ThermalModel, thermalModelAt } from '@isotherm/balancing/thermal-model'
import {
  gateTrim,
  judgeMoves,
  type MoveJudgement,
  QUIET_LIMITS,
  USUAL_LIMITS,
  type VerifyLimits,
} from '@isotherm/balancing/verify'
import { planWaves } from '@isotherm/balancing/wave-plan'
import { pascal } from '@isotherm/kernel/quantities'
import { filled, readSite, type SeenSite } from './read-site.ts'
import type { Records } from './records.ts'
import { BELIEVED_BACKLASH, command, live, type Site, setSpeed } from './site.ts'

/** How a campaign knows flows, and what it makes equal. */
export interface CampaignManner {
  readonly flows: 'metered' | 'temperature-only'
  readonly target: 'return' | 'room'
  /** By unit, K beside the common return. */
  readonly offsetK: Float64Array
}

/** What a controller keeps of a site from one step to the next. */
export interface Controller {
  readonly site: Site
  readonly records: Records
  readonly manner: CampaignManner
  readonly snapshots: HydraulicSnapshot[]
  /** Units found stuck, which further plans go around, and those that seem to slip. */
  readonly broken: Set<number>
  readonly suspected: Set<number>
  /** Units whose valve has been seen to follow. */
  readonly proven: Set<number>
  readonly judged: MoveJudgement[]
}

export const createController = (site: Site, records: Records, manner: CampaignManner): Controller => ({
  ...{
    site,
    records,
    manner,
    snapshots: [],
    broken: new Set(),
    suspected: new Set(),
    proven: new Set(),
    judged: [],
  },
})

/** Relative errors of a meter and of a flow by temperatures, and of the station's flow and head. */
const SIGMA = { meter: 0.012, temperatures: 0.12, total: 0.01, head: 0.005 } as const
const ROOM_SIGMA_K = 0.65
const HEAT_SIGMA = 0.02
const ASSUMED_ROOM_C = 20
/** What the far ends may be short of their flow by for the sake of the pump: a fifth of a kelvin in their return. */
export const SHORT_RMS = 0.045
/** Change of ln ṁ by which an untried valve is tested. */
const TEST_CHANGE = 0.04
const WAVE_S = 300
const LIMITS = { step: 0.01, dropShare: 0.03, allowedRms: 0.02, trustSpan: 0.4 } as const

/** Reconciled flows, kg/s, and what each of them may be off. */
function findFlows({ records, manner }: Controller, seen: SeenSite): Float64Array {
  const isMetered = manner.flows === 'metered'
  const flows = Array.from(seen.supplyC, (supplyC, i) => {
    if (isMetered) return seen.meterKgS[i] ?? Number.NaN
    const returnC = seen.returnC[i] ?? Number.NaN
    const temperatures = { supplyC, returnC, roomC: ASSUMED_ROOM_C }
    return virtualFlow(records.emitter[i] ?? Number.NaN, records.exponent[i] ?? 1, temperatures)
  })
  const known = flows.map((flow, i) => (flow > 0 ? flow : (records.designKgS[i] ?? 0)))
  const sum = known.reduce((total, flow) => total + flow, 0)
  // Records of emitters are off by a common factor, which the station's meter knows.
  const common = isMetered ? 1 : seen.totalKgS / sum
  const sigma = isMetered ? SIGMA.meter : SIGMA.temperatures
  return reconcileFlows(
    known.map((flow) => ({ flowKgS: common * flow, sigmaKgS: sigma * common * flow })),
    { flowKgS: seen.totalKgS, sigmaKgS: SIGMA.total * seen.totalKgS },
  )
}

/** Units whose temperatures are not believed take heat as the others of their area do. */
function fillUnknown(model: ThermalModel, { areaM2 }: Records): ThermalModel {
  const fill = (values: Float64Array): Float64Array => {
    const usual = median(values.map((value, i) => value / (areaM2[i] ?? Number.NaN))) ?? Number.NaN
    return values.map((value, i) => (Number.isNaN(value) ? usual * (areaM2[i] ?? 0) : value))
  }
  const supplyC = median(model.supplyC) ?? Number.NaN
  return {
    ...model,
    supplyC: model.supplyC.map((value) => (Number.isNaN(value) ? supplyC : value)),
    coefficient: fill(model.coefficient),
    lossWK: fill(model.lossWK),
  }
}

function aim({ records, manner, site }: Controller, seen: SeenSite, flowKgS: Float64Array) {
  const count = site.units.length
  const rooms =
    manner.target === 'room'
      ? estimateRooms({
          ...{ ...seen, flowKgS, exponent: records.exponent, areaM2: records.areaM2 },
          ...{ sensorC: seen.roomC, sensorSigmaK: ROOM_SIGMA_K, heatSigma: HEAT_SIGMA },
        }).roomC
      : filled(count, ASSUMED_ROOM_C)
  const snapshot = { ...seen, flowKgS, roomC: rooms, exponent: records.exponent }
  const thermal = fillUnknown(thermalModelAt(snapshot), records)
  const bounds = {
    leastKgS: records.designKgS.map((flow) => 0.3 * flow),
    mostKgS: records.designKgS.map((flow) => 2 * flow),
  }
  const totalKgS = flowKgS.reduce((sum, flow) => sum + flow, 0)
  const kind = manner.target === 'room' ? 'room-total' : 'return'
  return computeTargets(thermal, { kind, totalKgS, offsetK: manner.offsetK }, flowKgS, bounds)
}

function carryOut(site: Site, model: LoopModel, plan: MovePlan, headPa: number, pump: PumpFreedom): void {
  const openings = site.believedStem.slice()
  const order = { openings, headPa, moves: plan.moves, finalHeadPa: plan.headPa, pump, closingWaves: 3 }
  for (const step of planWaves(model, order).steps) {
    if (step.kind === 'pump') {
      const total = step.after.flowKgS.reduce((sum, flow) => sum + flow, 0)
      setSpeed(site, speedFor(site.spec.pump, step.headPa, total))
    } else {
      for (const { consumer, to } of step.moves)
        command(site, consumer, positionFor(to, site.believedStem[consumer] ?? 0, BELIEVED_BACKLASH))
    }
    live(site, WAVE_S)
  }
}

/** Judges the moves by the flows an hour before and an hour after, and takes who did not follow out of further plans. */
function verify(
  controller: Controller,
  model: LoopModel,
  plan: MovePlan,
  before: HydraulicSnapshot,
  limits: VerifyLimits,
): void {
  const { site, broken, judged } = controller
  live(site, 3600)
  const seen = readSite(site, 3600)
  const source = (headPa: number) => ({ kind: 'head', head: pascal(headPa) }) as const
  const after = solveLoop(model, plan.openings, source(seen.headPa))
  const moved = new Set(plan.moves.map(({ consumer }) => consumer))
  const verdicts = judgeMoves(
    model,
    solveLoop(model, before.openings, source(before.headPa)),
    after,
    Array.from(before.flowKgS, (flowBefore, consumer) => ({
      ...{ consumer, from: before.openings[consumer] ?? 0, to: plan.openings[consumer] ?? 0 },
      ...{ flowBefore, flowAfter: seen.meterKgS[consumer] ?? Number.NaN },
    })),
    limits,
  ).filter(({ consumer }) => moved.has(consumer))
  judged.push(...verdicts)
  for (const verdict of verdicts) if (isProof(verdict, limits)) controller.proven.add(verdict.consumer)
  for (const { consumer, verdict } of verdicts) {
    // Where a stem that slips stands is not known, and a curve that is wrong looks alike: it is reported, and goes on being told.
    if (verdict === 'slipping') controller.suspected.add(consumer)
    if (verdict !== 'stuck') continue
    broken.add(consumer)
    site.believedStem[consumer] = before.openings[consumer] ?? 0
  }
}

/** The plan with a test for every valve that has not been seen to follow and that the plan leaves alone. */
function tryUnproven(
  { proven, broken, suspected }: Controller,
  model: LoopModel,
  plan: MovePlan,
  { flowKgS: targetKgS }: Targets,
): MovePlan {
  const moved = new Set(plan.moves.map(({ consumer }) => consumer))
  const isKnown = (unit: number): boolean =>
    [proven, broken, suspected, moved].some((units) => units.has(unit))
  const unproven = [...targetKgS.keys()].filter((unit) => !isKnown(unit))
  const { openings, flows } = plan
  const order = { openings, flows, targetKgS, leastOpening: 0.1, step: LIMITS.step }
  const tests = planTests(model, { ...order, change: TEST_CHANGE }, unproven)
  const after = openings.slice()
  for (const { consumer, to } of tests) after[consumer] = to
  return { ...plan, openings: after, moves: [...plan.moves, ...tests] }
}

export interface StepOptions {
  readonly windowS: number
  /** Valves whose return is nearer to its target than this stay, K; 0 moves whoever needs it. */
  readonly gateK: number
}

/** One step: read, reconcile, identify, aim, plan, carry out, verify. */
export function stepCampaign(controller: Controller, { windowS, gateK }: StepOptions): Targets {
  const { site, records, manner, snapshots, broken } = controller
  const count = site.units.length
  const seen = readSite(site, windowS)
  const flowKgS = findFlows(controller, seen)
  const targets = aim(controller, seen, flowKgS)
  const snapshot = { headPa: seen.headPa, flowKgS, openings: site.believedStem.slice() }
  snapshots.push(snapshot)
  const flowSigma = manner.flows === 'metered' ? SIGMA.meter : SIGMA.temperatures
  const prior = { ...USUAL_PRIOR, flow: filled(count, flowSigma), headPa: SIGMA.head * seen.headPa }
  const model = pinToSnapshot(identifyLoop(records.loop, snapshots, prior).model, snapshot)
  const isFixed = new Uint8Array(count)
  if (gateK > 0) {
    const wished = manner.offsetK.map((offset) => targets.common + offset)
    const gated = manner.target === 'return' ? gateTrim(seen.returnC, wished, gateK) : [...isFixed.keys()]
    isFixed.fill(1)
    for (const unit of gated) isFixed[unit] = 0
  }
  for (const unit of broken) isFixed[unit] = 1
  const pump: PumpFreedom =
    gateK > 0 ? { kind: 'fixed-head', headPa: seen.headPa } : { kind: 'free', mostHeadPa: 1.3 * seen.headPa }
  const plan = planMoves(
    model,
    {
      ...{ targetKgS: targets.flowKgS, openings: snapshot.openings, isFixed, leastOpening: 0.1 },
      ...{
        indexOpening: 0.95,
        servedShare: 0.97,
        shortRms: SHORT_RMS,
        pump,
        shortage: gateK > 0 ? 'at-the-end' : 'shared',
      },
    },
    { ...LIMITS, visitedLow: snapshot.openings, visitedHigh: snapshot.openings },
  )
  const tried = gateK > 0 && manner.flows === 'metered' ? tryUnproven(controller, model, plan, targets) : plan
  carryOut(site, model, tried, seen.headPa, pump)
  if (manner.flows === 'metered')
    verify(controller, model, tried, snapshot, gateK > 0 ? QUIET_LIMITS : USUAL_LIMITS)
  return targets
}
