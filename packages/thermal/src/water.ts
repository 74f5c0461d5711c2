import type { Celsius } from '@isotherm/kernel/quantities'
import { waterDensity } from '@isotherm/kernel/water-density'

/** Specific heat of heating water, J/(kg·K). */
export const WATER_HEAT_CAPACITY = 4187

/** Specific heat of the saturated liquid at 0, 10, …, 150 °C, kJ/(kg·K): IAPWS-95. */
const HEAT_CAPACITIES = [
  4.2199, 4.1955, 4.1844, 4.1801, 4.1796, 4.1815, 4.1851, 4.1902, 4.1969, 4.2053, 4.2157, 4.2283, 4.2435,
  4.2615, 4.2826, 4.3071,
] as const
const STEP_K = 10

/** Specific heat of liquid water, kJ/(kg·K), between 0 and 150 °C; beyond, that of the nearer end. */
export function waterHeatCapacity(temperature: Celsius): number {
  const last = HEAT_CAPACITIES.length - 1
  const position = Math.min(last, Math.max(0, temperature / STEP_K))
  const below = Math.floor(position)
  const [low = 0, high = low] = [HEAT_CAPACITIES[below], HEAT_CAPACITIES[below + 1]]
  return low + (high - low) * (position - below)
}

/**
 * Heat coefficient k of P = k·q·ΔT, kWh/(m³·K): density where the flow is measured, heat capacity at the mean of supply
 * and return, as in EN 1434-1. Some 1.15 in a secondary network; 1.163 is that of 1 kg/l and 1 kcal.
 */
export function heatCoefficient(flowSensor: Celsius, mean: Celsius): number {
  return (waterDensity(flowSensor) * waterHeatCapacity(mean)) / 3_600
}
