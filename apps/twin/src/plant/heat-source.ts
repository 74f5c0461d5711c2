import { type Celsius, celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { primaryFlowFor } from '@isotherm/thermal/station/heat-exchanger'
import { curvePoint } from '@isotherm/thermal/station/weather-compensation'
import type { HeatingSpec } from '../scenarios/scenario.ts'

/** The station's controller follows the curve with this time constant, s. */
const SUPPLY_LAG_S = 1200
/** The district's primary supply, °C: at −10 °C outside, how it falls with each kelvin, and its least. */
const PRIMARY_DESIGN_C = 95
const PRIMARY_FALL_K_K = 1.2
const PRIMARY_LEAST_C = 65

/** What the primary network brings to the station at an outdoor temperature. */
export const primarySupply = (outdoorC: number): Celsius =>
  celsius(
    Math.min(
      PRIMARY_DESIGN_C,
      Math.max(PRIMARY_LEAST_C, PRIMARY_DESIGN_C - PRIMARY_FALL_K_K * (outdoorC + 10)),
    ),
  )

/** What the exchanger does over a step: secondary supply, °C; primary flow, kg/s; whether it could not do what was asked. */
export interface SourceStep {
  readonly supplyC: number
  readonly primaryKgS: number
  readonly isShort: boolean
}

/**
 * The secondary supply after a step: the controller moves the set point towards the curve of the weather and opens the
 * primary valve as far as the exchanger needs for it, at most fully.
 */
export function stepSource(
  { curve, exchanger, mostPrimary }: HeatingSpec,
  before: { readonly supplyC: number; readonly returnC: number; readonly flowKgS: number },
  outdoorC: number,
  stepS: number,
): SourceStep {
  const wished = curvePoint(curve, celsius(outdoorC)).supply
  const setPoint = before.supplyC + (wished - before.supplyC) * (1 - Math.exp(-stepS / SUPPLY_LAG_S))
  if (!(before.flowKgS > 0)) return { supplyC: setPoint, primaryKgS: 0, isShort: false }
  const secondary = { flow: kilogramPerSecond(before.flowKgS), inlet: celsius(before.returnC) }
  const demand = primaryFlowFor(exchanger, primarySupply(outdoorC), secondary, celsius(setPoint), mostPrimary)
  const { secondarySupply } = demand.result
  return { supplyC: secondarySupply, primaryKgS: demand.primaryFlow, isShort: demand.kind === 'short' }
}
