import { type Celsius, celsius } from '@isotherm/kernel/quantities'

/** Design point of a heating curve: all temperatures °C; `exponent` b is 0.3 for radiators, about 0.1 for floors. */
export interface HeatingCurve {
  readonly room: Celsius
  readonly designOutdoor: Celsius
  readonly designSupply: Celsius
  readonly designReturn: Celsius
  readonly exponent: number
}

/** Supply and return temperatures of a heating curve, °C. */
export interface CurvePoint {
  readonly supply: Celsius
  readonly back: Celsius
}

/**
 * Supply and return temperatures for an outdoor temperature, at a flow relative to design (1 = design flow):
 * t = t_n + Δt_s'·Q̄^(1/(1+b)) ± 0.5·Δt_j'·Q̄/Ḡ, with Q̄ = (t_n − t_w)/(t_n − t_w'). No load means room temperature.
 * Throws a RangeError if the design weather is not colder than the room, or without flow.
 * Source: docs/domain/formulas.md, weather compensation; worked example: weather-compensation.test.ts.
 */
export function curvePoint(curve: HeatingCurve, outdoor: Celsius, relativeFlow = 1): CurvePoint {
  if (!(curve.designOutdoor < curve.room && relativeFlow > 0))
    throw new RangeError(
      `no curve for ${curve.designOutdoor} °C outside at ${relativeFlow} of the design flow`,
    )
  const load = Math.max(0, (curve.room - outdoor) / (curve.room - curve.designOutdoor))
  const emitterExcess = 0.5 * (curve.designSupply + curve.designReturn - 2 * curve.room)
  const mean = curve.room + emitterExcess * load ** (1 / (1 + curve.exponent))
  const half = (0.5 * (curve.designSupply - curve.designReturn) * load) / relativeFlow
  return { supply: celsius(mean + half), back: celsius(mean - half) }
}
