import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { median } from '@isotherm/kernel/statistics'
import { type LoopModel, pathLosses, sumFlows } from '../loop/loop-model.ts'
import { basisCurves, mixCurves, USUAL_SHARES } from '../loop/valve-shapes.ts'
import { type ConsumerSeries, type CurveEvidence, weighCurve } from './curve-evidence.ts'
import type { HydraulicSnapshot } from './identify-snapshot.ts'

/** How a stem followed its commands: as commanded, not at all, not in the newest move, or only in part in it. */
export const STEM_STATES = ['follows', 'stays', 'stops', 'slips'] as const
export type StemState = (typeof STEM_STATES)[number]

/** What snapshots show of one valve. */
export interface CurveFinding {
  /** Basis curves, or the stated one, and their weights. */
  readonly curves: readonly ValveCharacteristic[]
  readonly weights: readonly number[]
  /** Likelihood of each curve over all states of the stem; only ratios have a meaning. Empty if nothing is known. */
  readonly likelihoods: readonly number[]
  /** Shares of the curves among all valves of the loop. */
  readonly shares: readonly number[]
  /** The weighted mean of the curves. */
  readonly curve: ValveCharacteristic
  /** Probability of each state of the stem. */
  readonly states: Readonly<Record<StemState, number>>
  /** Change of ln ṁ by the newest move: expected if the stem follows, by the curves, and observed; NaN if unknown. */
  readonly expected: number
  readonly seen: number
  /** Error of the observed change. */
  readonly sigma: number
}

export interface CurveOrder {
  /** Mains that explain the snapshots; its circuits and valves are not used. */
  readonly mains: LoopModel
  /** Recorded circuits and valves. */
  readonly recorded: LoopModel
  /** Whether the curve of each valve is unknown; without it all are known. */
  readonly unknown?: readonly boolean[] | undefined
  /** 1 for a consumer without a Kvs of its own; without it all have one. */
  readonly plates?: Uint8Array | undefined
  readonly snapshots: readonly HydraulicSnapshot[]
  /** Relative error of each flow that all snapshots share, and of a flow compared with the same one before. */
  readonly flowSigma: number
  readonly repeatSigma: number
  /** Stems that valves reported in the newest snapshot, 0..1; NaN without a report. */
  readonly reported?: Float64Array | undefined
}

/** Usual probabilities of states of a stem. */
const PRIOR: Readonly<Record<StemState, number>> = { follows: 0.935, stays: 0.05, stops: 0.005, slips: 0.01 }
/** Parts of its travel that a slipping stem makes. */
const SLIP_SHARES = [0.2, 0.45] as const
/** Remaining relative error of path losses. */
const PATH_SIGMA = 0.06
const CIRCUIT_SIGMA = 0.6
/** Error of the mean of ln β over the loop before any snapshot. */
const CIRCUIT_MEAN_SIGMA = 0.5
/** Weight of the usual shares of curves, in valves. */
const PRIOR_VALVES = 1
const SHARE_ROUNDS = 30
const ROUNDS = 4
/** Consumers between two yields. */
const SLICE_VALVES = 64
/** A position counts as another one above this difference. */
const STILL = 0.015
/**
 * Probability that a report is wrong. `stays`: the motor reports the commanded position although the stem did not follow, because
 * it only counts its running time. `follows`: it reports the former position although the stem followed.
 */
const BLIND = { stays: 0.5, follows: 0.01 } as const

function seriesOf({ mains, recorded, snapshots, repeatSigma }: CurveOrder): (ConsumerSeries | undefined)[] {
  const { network } = mains
  const losses = snapshots.map(({ flowKgS }) =>
    pathLosses(
      network,
      sumFlows(network, flowKgS, new Float64Array(network.pipeCount)),
      new Float64Array(network.pipeCount + 1),
    ),
  )
  return Array.from({ length: network.circuitCount }, (_, i) => {
    const node = network.circuitNode[i] ?? network.pipeCount
    const left = snapshots.map(({ headPa }, k) => headPa - (losses[k]?.[node] ?? 0))
    const ownS = Float64Array.from(snapshots, ({ flowKgS }, k) => (left[k] ?? 0) / (flowKgS[i] ?? 0) ** 2)
    // No curve explains a flow through a shut valve.
    const isOpen = snapshots.every(({ openings }) => (openings[i] ?? 0) > 0)
    if (!isOpen || !ownS.every((value) => value > 0 && Number.isFinite(value))) return undefined
    const shares = left.map((own, k) => (losses[k]?.[node] ?? 0) / own)
    const sigma = Float64Array.from(shares, (share, k) =>
      k === 0 ? 0 : Math.hypot(repeatSigma, (PATH_SIGMA / 2) * (share - (shares[0] ?? 0))),
    )
    return { ownS, sigma, circuitS: recorded.network.circuitResistance[i] ?? 1 }
  })
}

/** Positions of the stem by snapshot, for each state that is possible; for a slipping stem two. */
function stemsOf(snapshots: readonly HydraulicSnapshot[], consumer: number) {
  const commanded = snapshots.map(({ openings }) => openings[consumer] ?? 0)
  const [first = 0, newest = 0, before = 0] = [commanded[0], commanded.at(-1), commanded.at(-2)]
  const ending = (last: number): number[] => [...commanded.slice(0, -1), last]
  const stems: [StemState, number, readonly number[]][] = [['follows', 1, commanded]]
  const hasMoved = Math.abs(newest - before) > STILL
  if (commanded.some((opening) => Math.abs(opening - first) > STILL))
    stems.push(['stays', 1, commanded.map(() => first)])
  if (commanded.length > 2 && hasMoved) {
    stems.push(['stops', 1, ending(before)])
    for (const share of SLIP_SHARES)
      stems.push(['slips', 1 / SLIP_SHARES.length, ending(before + share * (newest - before))])
  }
  return stems
}

interface Weighed {
  readonly state: StemState
  /** Logarithm of the prior of the state. */
  readonly prior: number
  readonly byCurve: readonly CurveEvidence[]
}

/** Factor of the probability of a state, from the position that the motor reports. */
function byReport(order: CurveOrder, consumer: number, state: StemState): number {
  const { snapshots, reported } = order
  const shown = reported?.[consumer] ?? Number.NaN
  const [from, to] = [snapshots.at(-2)?.openings[consumer] ?? 0, snapshots.at(-1)?.openings[consumer] ?? 0]
  const travel = Math.abs(to - from)
  if (Number.isNaN(shown) || travel <= STILL) return 1
  // Between two positions that are near to each other the nearer one counts.
  const near = Math.min(STILL, travel / 2)
  if (Math.abs(shown - to) <= near) return state === 'follows' ? 1 - BLIND.follows : BLIND.stays
  if (Math.abs(shown - from) > near) return 1
  return state === 'follows' ? BLIND.follows : 1 - BLIND.stays
}

const normalise = (logs: readonly number[]): number[] => {
  const highest = Math.max(...logs)
  const all = logs.map((value) => Math.exp(value - highest))
  const sum = all.reduce((total, value) => total + value, 0)
  return all.map((value) => value / sum)
}

/** Shares of the basis curves among all valves, from the likelihood of each curve for each valve. */
function findShares(likelihoods: readonly (readonly number[])[], from: readonly number[]): readonly number[] {
  let shares = from
  for (let round = 0; round < SHARE_ROUNDS; round++) {
    const counts = USUAL_SHARES.map((share) => PRIOR_VALVES * share)
    for (const each of likelihoods) {
      const whole = each.reduce((sum, value, c) => sum + value * (shares[c] ?? 0), 0)
      if (!(whole > 0)) continue
      each.forEach((value, c) => {
        counts[c] = (counts[c] ?? 0) + (value * (shares[c] ?? 0)) / whole
      })
    }
    const total = counts.reduce((sum, count) => sum + count, 0)
    shares = counts.map((count) => count / total)
  }
  return shares
}

/**
 * Curves of all valves and states of their stems. What a curve of one valve is likely to be depends on the others of the
 * loop: the shares of curves, the mean of circuits and the common change of flows are those of all consumers
 * (expectation-maximisation). Yields after some consumers (about 10 ms), so that a server can do other work. Worked
 * example: plan/judge-curves.test.ts.
 */
export function* identifyCurves(order: CurveOrder): Generator<undefined, readonly CurveFinding[]> {
  const { recorded, unknown, plates, snapshots } = order
  const { densityKgM3 } = recorded.fluid
  const all = seriesOf(order)
  const isUnknown = (i: number): boolean => unknown?.[i] === true
  const candidates = recorded.valves.map((valve, i) => (isUnknown(i) ? basisCurves(valve) : [valve]))
  const stems = candidates.map((_, i) => stemsOf(snapshots, i))
  let shares = USUAL_SHARES
  let circuit = 0
  const common = new Float64Array(snapshots.length)
  let found: CurveFinding[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const circuits: number[] = []
    const likelihoods: (readonly number[])[] = []
    const misses = snapshots.map((): number[] => [])
    const weighOne = (valve: ValveCharacteristic, i: number): CurveFinding => {
      const curves = candidates[i] ?? [valve]
      const usual = isUnknown(i) ? shares : [1]
      const unexplained = {
        curves,
        weights: usual,
        likelihoods: [],
        shares: usual,
        states: { ...PRIOR, follows: 1, stays: 0, stops: 0, slips: 0 },
        curve: isUnknown(i) ? mixCurves(curves, usual) : valve,
        expected: Number.NaN,
        seen: Number.NaN,
        sigma: Number.NaN,
      }
      const series = all[i]
      if (series === undefined) return unexplained
      const shifted = {
        ...series,
        ownS: series.ownS.map((value, k) => value * Math.exp(2 * (common[k] ?? 0))),
      }
      const prior = {
        circuit,
        circuitSigma: Math.hypot(CIRCUIT_SIGMA, 2 * order.flowSigma),
        isPlate: plates?.[i] !== 1,
      }
      const weighed = (stems[i] ?? []).map(
        ([state, share, at]): Weighed => ({
          state,
          prior: Math.log(PRIOR[state] * share * byReport(order, i, state)),
          byCurve: curves.map((curve) => weighCurve(shifted, curve, at, prior, densityKgM3)),
        }),
      )
      const logs = weighed.map(({ prior: log, byCurve }) =>
        byCurve.map(({ logLikelihood }, c) => log + Math.log(usual[c] ?? 0) + logLikelihood),
      )
      if (!logs.flat().some((log) => log > -Infinity)) return unexplained
      const odds = normalise(logs.flat())
      const oddsOf = (h: number, c: number): number => odds[h * curves.length + c] ?? 0
      const follows = weighed[0]?.byCurve ?? []
      const weights = logs[0]?.some((log) => log > -Infinity) ? normalise(logs[0]) : usual
      const ofCurves = curves.map((_, c) =>
        weighed.reduce((sum, h) => sum + Math.exp(h.prior + (h.byCurve[c]?.logLikelihood ?? 0)), 0),
      )
      if (isUnknown(i)) likelihoods.push(ofCurves)
      const states = { follows: 0, stays: 0, stops: 0, slips: 0 }
      weighed.forEach(({ state }, h) => {
        curves.forEach((_, c) => {
          states[state] += oddsOf(h, c)
        })
      })
      const expectedAt = (k: number): number =>
        follows.reduce((sum, { change }, c) => sum + (weights[c] ?? 0) * (change[k] ?? 0), 0)
      circuits.push(follows.reduce((sum, own, c) => sum + (weights[c] ?? 0) * own.circuit, 0))
      const seenAt = (k: number): number => Math.log((series.ownS[0] ?? 1) / (series.ownS[k] ?? 1)) / 2
      for (let k = 1; k < snapshots.length; k++) misses[k]?.push(seenAt(k) - expectedAt(k))
      const last = snapshots.length - 1
      return {
        curves,
        weights: states.follows > 0.5 ? weights : usual,
        likelihoods: isUnknown(i) ? ofCurves : [],
        shares: usual,
        curve: isUnknown(i) ? mixCurves(curves, states.follows > 0.5 ? weights : usual) : valve,
        states,
        expected: expectedAt(last) - expectedAt(last - 1),
        seen:
          seenAt(last) - (last > 0 ? seenAt(last - 1) : 0) - (common[last] ?? 0) + (common[last - 1] ?? 0),
        sigma: series.sigma[last] ?? Number.NaN,
      }
    }
    found = []
    for (const [i, valve] of recorded.valves.entries()) {
      found.push(weighOne(valve, i))
      if (i % SLICE_VALVES === SLICE_VALVES - 1) yield
    }
    shares = findShares(likelihoods, shares)
    const mean = circuits.reduce((sum, value) => sum + value, 0) / Math.max(1, circuits.length)
    circuit = mean / (1 + CIRCUIT_SIGMA ** 2 / CIRCUIT_MEAN_SIGMA ** 2 / Math.max(1, circuits.length))
    misses.forEach((values, k) => {
      common[k] = median(Float64Array.from(values)) ?? 0
    })
  }
  return found
}
