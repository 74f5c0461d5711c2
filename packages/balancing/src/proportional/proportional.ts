import { weightedMean } from '@isotherm/kernel/statistics'

/**
 * Change of the return temperature with flow at a constant room temperature, K for each unit of ln ṁ. θ = T_s − T_r,
 * Δ = T_m − T_i, K.
 */
export const returnSensitivity = (dropK: number, excessK: number, exponent: number): number =>
  1 / (1 / dropK + exponent / (2 * excessK))

/** Effect of a valve's opening on its return temperature. */
export interface ValveAction {
  /** Share of the circuit's pressure drop across the open valve, 0..1. */
  readonly authority: number
  readonly rangeability: number
  /** K for each unit of ln ṁ (`returnSensitivity`). */
  readonly sensitivityK: number
}

/**
 * Change of opening (0..1) for each kelvin of error that removes `share` of it in one step: share/(a·ln R·dT/dlnṁ). A
 * share above 1 oscillates. Source: loop gain of an equal-percentage valve. Worked example: proportional.test.ts.
 */
export function gainFor({ authority, rangeability, sensitivityK }: ValveAction, share: number): number {
  return share / (authority * Math.log(rangeability) * sensitivityK)
}

/** Time between two steps, s: transport time of the water plus three time constants of the emitter. */
export const periodFor = (transportS: number, emitterLagS: number): number => transportS + 3 * emitterLagS

/** Arrays by consumer; temperatures °C, NaN without a reading; openings 0..1. */
export interface ProportionalRequest {
  readonly returnC: Float64Array
  readonly offsetK: Float64Array
  readonly areaM2: Float64Array
  readonly openings: Float64Array
  /** Change of opening for each kelvin. */
  readonly gain: Float64Array
  readonly deadBandK: number
  readonly maxStep: number
  readonly minOpening: number
  /** Step of the motors, 0..1. */
  readonly step: number
}

export interface ProportionalStep {
  /** Area-weighted mean of the returns, °C: the target of every valve; NaN without readings. */
  readonly targetC: number
  readonly openings: Float64Array
  readonly moved: readonly number[]
}

/**
 * One round of proportional return-temperature balancing, which is common in the industry. If the return of a valve is
 * warmer than the mean by more than the dead band, the valve closes by gain times error; if colder, it opens. Used for
 * sites without a model, and as a baseline for our own method.
 */
export function stepProportional(request: ProportionalRequest): ProportionalStep {
  const { returnC, offsetK, openings, deadBandK, maxStep, minOpening, step } = request
  const compared = returnC.map((value, i) => value - (offsetK[i] ?? 0))
  const targetC = weightedMean(compared, request.areaM2) ?? Number.NaN
  const moved: number[] = []
  const next = openings.map((opening, i) => {
    const error = (compared[i] ?? Number.NaN) - targetC
    if (!(Math.abs(error) > deadBandK)) return opening
    const change = Math.min(maxStep, Math.max(-maxStep, (request.gain[i] ?? 0) * error))
    const to = Math.min(1, Math.max(minOpening, Math.round((opening - change) / step) * step))
    if (Math.abs(to - opening) < step / 2) return opening
    moved.push(i)
    return to
  })
  return { targetC, openings: next, moved }
}

/** State of one valve's slow trim between campaigns. `integral` in K·d. */
export interface TrimState {
  readonly integral: number
}

export interface TrimSettings {
  /** Change of opening for each kelvin of error, and for each K·d of its sum (`gainFor`). */
  readonly gain: number
  readonly integralGain: number
  readonly deadBandK: number
  readonly minOpening: number
  readonly maxOpening: number
  /** Maximum distance from the opening that the campaign left. */
  readonly span: number
  /** Number of days for which the error counts. */
  readonly days: number
}

/**
 * New opening and new state of a valve with a return that is `errorK` too warm. It is a PI controller around the opening
 * of the campaign. At a limit its integral does not grow (anti-windup).
 */
export function stepTrim(
  state: TrimState,
  errorK: number,
  base: number,
  settings: TrimSettings,
): { readonly opening: number; readonly state: TrimState } {
  const { gain, integralGain, deadBandK, minOpening, maxOpening, span, days } = settings
  const error = Math.abs(errorK) > deadBandK ? errorK : 0
  const integral = state.integral + error * days
  const requested = base - gain * error - integralGain * integral
  const low = Math.max(minOpening, base - span)
  const high = Math.min(maxOpening, base + span)
  const opening = Math.min(high, Math.max(low, requested))
  const isWinding = opening !== requested && Math.sign(integral) === Math.sign(error)
  return { opening, state: isWinding ? state : { integral } }
}
