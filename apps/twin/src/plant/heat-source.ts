import { type Celsius, celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { primaryFlowFor } from '@isotherm/thermal/station/heat-exchanger'
import { curvePoint } from '@isotherm/thermal/station/weather-compensation'
import type { HeatingSpec } from '../scenarios/scenario.ts'

/** The station's controller follows the curve with this time constant, s. */
const SUPPLY_LAG_S = 1200
/** Primary supply temperature, °C: value at −10 °C outside, decrease per kelvin, and minimum. */
const PRIMARY_DESIGN_C = 95
const PRIMARY_FALL_K_K = 1.2
const PRIMARY_MIN_C = 65

/** Primary supply temperature at an outdoor temperature. */
export const primarySupply = (outdoorC: number): Celsius =>
  celsius(
    Math.min(
      PRIMARY_DESIGN_C,
      Math.max(PRIMARY_MIN_C, PRIMARY_DESIGN_C - PRIMARY_FALL_K_K * (outdoorC + 10)),
    ),
  )

/** Result of a step: secondary supply, °C; primary flow, kg/s; whether the target was not reached. */
export interface SourceStep {
  readonly supplyC: number
  readonly primaryKgS: number
  readonly isShort: boolean
}

/**
 * Secondary supply after a step. The controller moves its setpoint towards the heating curve and its offset, K, and opens the
 * primary valve as far as necessary, at most fully.
 */
export function stepSource(
  { curve, exchanger, maxPrimaryFlow }: HeatingSpec,
  before: { readonly supplyC: number; readonly returnC: number; readonly flowKgS: number },
  outdoorC: number,
  stepS: number,
  offsetK = 0,
): SourceStep {
  const requested = curvePoint(curve, celsius(outdoorC)).supply + offsetK
  const setPoint = before.supplyC + (requested - before.supplyC) * (1 - Math.exp(-stepS / SUPPLY_LAG_S))
  if (!(before.flowKgS > 0)) return { supplyC: setPoint, primaryKgS: 0, isShort: false }
  const secondary = { flow: kilogramPerSecond(before.flowKgS), inlet: celsius(before.returnC) }
  const demand = primaryFlowFor(
    exchanger,
    primarySupply(outdoorC),
    secondary,
    celsius(setPoint),
    maxPrimaryFlow,
  )
  const { secondarySupply } = demand.result
  return { supplyC: secondarySupply, primaryKgS: demand.primaryFlow, isShort: demand.kind === 'short' }
}
