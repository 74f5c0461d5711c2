import { kvForResistance, openingForKv, type ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { resistance } from '@isotherm/kernel/quantities'

export const FULLY_OPEN = 1

/**
 * The opening 0..1 at which a valve and its circuit (Pa/(kg/s)²) together take a head of `leftPa` at a flow in kg/s:
 * fully open if even that is not enough for the flow, shut if the leakage of the valve is larger.
 */
export function openingForDrop(
  valve: ValveCharacteristic,
  circuitS: number,
  leftPa: number,
  flowKgS: number,
  densityKgM3: number,
): number {
  const wanted = leftPa / flowKgS ** 2 - circuitS
  if (!(wanted > 0)) return FULLY_OPEN
  const outcome = openingForKv(valve, kvForResistance(resistance(wanted), densityKgM3))
  if (outcome.kind === 'opening') return outcome.opening
  return outcome.kind === 'kv-too-large' ? FULLY_OPEN : 0
}
