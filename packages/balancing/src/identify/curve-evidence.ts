import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'

/** What all snapshots show of one consumer. */
export interface ConsumerSeries {
  /** S of circuit and valve in each snapshot, Pa/(kg/s)²: head at its node over the square of its flow. */
  readonly ownS: Float64Array
  /** Standard deviation of ½·ln(S₀/S_k) by flows and path losses; 0 for the first snapshot. */
  readonly sigma: Float64Array
  /** Recorded resistance of its circuit, Pa/(kg/s)². */
  readonly circuitS: number
}

/** What is assumed of circuits and plates. */
export interface EvidencePrior {
  /** Mean of ln β, the factor of recorded circuits, over the loop, and its standard deviation. */
  readonly circuit: number
  readonly circuitSigma: number
  /** Whether the Kvs comes from a plate. */
  readonly isPlate: boolean
}

/** How well a curve explains a consumer with its stem at given positions. */
export interface CurveEvidence {
  /** Logarithm of the likelihood; only differences have a meaning. */
  readonly logLikelihood: number
  /** Most likely ln β. */
  readonly circuit: number
  /** Predicted ½·ln(S₀/S_k), the change of ln ṁ by the valve's own move. */
  readonly change: Float64Array
}

/** Corrections κ of a plate that are tried: a wrong plate is one or two sizes off (ln 1.6 each). */
const KAPPAS = Array.from({ length: 15 }, (_, at) => 0.15 * (at - 7))
/** Errors of ln Kvs: of a correct plate; share of wrong plates and their error; of an assumed Kvs. */
const PLATE = { sigma: 0.1, wrong: 0.15, wrongSigma: 0.6, assumedSigma: 0.45 } as const
/** Error of a stem after a move: backlash and whole per cent. */
const STEM_SIGMA = 0.008
/** Slope of ln Kv by which a stem's error counts, that of the usual plug. */
const STEM_SLOPE = 3.7
/** Error of a curve's slope: standard deviation of ln R. */
const SLOPE_SIGMA = 0.25
/** Minimum share of the circuit in a consumer's resistance, and the error of a head at which the valve exceeds it. */
const MIN_REST = 0.05
const LEVEL_SIGMA = 0.2
/** Share of outliers, and their standard deviation as a multiple of σ. */
const WILD = { share: 0.03, times: 4 } as const

const normal = (miss: number, sigma: number): number => Math.exp(-((miss / sigma) ** 2) / 2) / sigma
const platePrior = (kappa: number, isPlate: boolean): number =>
  isPlate
    ? (1 - PLATE.wrong) * normal(kappa, PLATE.sigma) + PLATE.wrong * normal(kappa, PLATE.wrongSigma)
    : normal(kappa, PLATE.assumedSigma)

const noise = (miss: number, sigma: number): number =>
  (1 - WILD.share) * normal(miss, sigma) + WILD.share * normal(miss, WILD.times * sigma)

/**
 * How well a curve explains a consumer if its stem was at `stems` (0..1, by snapshot). The valve takes a part of the
 * consumer's resistance in the first snapshot, the circuit the rest; later snapshots show how the resistance follows
 * the stem. Kvs and circuit are integrated over their priors. Worked example: curve-evidence.test.ts.
 */
export function weighCurve(
  series: ConsumerSeries,
  curve: ValveCharacteristic,
  stems: readonly number[],
  prior: EvidencePrior,
  densityKgM3: number,
): CurveEvidence {
  const { ownS, sigma, circuitS } = series
  const firstS = ownS[0] ?? Number.NaN
  const kvs = stems.map((stem) => kvAtOpening(curve, openingRatio(stem)))
  const plateS = valveResistance(flowCoefficient(kvs[0] ?? 0), densityKgM3)
  // S of the valve relative to the first snapshot.
  const ratio = kvs.map((kv) => ((kvs[0] ?? 0) / kv) ** 2)
  const change = new Float64Array(ownS.length)
  let [sum, circuitSum] = [0, 0]
  for (const kappa of KAPPAS) {
    const part = (plateS * Math.exp(-2 * kappa)) / firstS
    const share = Math.min(1 - MIN_REST, part)
    const circuit = Math.log(((1 - share) * firstS) / circuitS)
    let weight = platePrior(kappa, prior.isPlate) * normal(circuit - prior.circuit, prior.circuitSigma)
    weight *= normal(Math.max(0, Math.log(part / (1 - MIN_REST))), LEVEL_SIGMA) / (1 - share)
    const own = new Float64Array(ownS.length)
    for (let k = 1; k < ownS.length; k++) {
      const times = ratio[k] ?? 1
      const whole = 1 - share + share * times
      const authority = Math.max(share, (share * times) / whole)
      const moved = Math.abs((stems[k] ?? 0) - (stems[0] ?? 0))
      own[k] = -Math.log(whole) / 2
      const seen = Math.log(firstS / (ownS[k] ?? Number.NaN)) / 2
      const stemError = moved > 0 ? STEM_SLOPE * STEM_SIGMA : 0
      const error = Math.hypot(sigma[k] ?? 0, authority * Math.hypot(stemError, SLOPE_SIGMA * moved))
      weight *= noise(seen - (own[k] ?? 0), error)
    }
    sum += weight
    circuitSum += weight * circuit
    for (let k = 1; k < ownS.length; k++) change[k] = (change[k] ?? 0) + weight * (own[k] ?? 0)
  }
  return {
    logLikelihood: Math.log(sum),
    // A curve that cannot explain the snapshots gives no information on the circuit.
    circuit: sum > 0 ? circuitSum / sum : prior.circuit,
    change: change.map((value) => (sum > 0 ? value / sum : 0)),
  }
}
