import { pumpThrough } from '@isotherm/hydraulics/elements/pump'
import { kilogramPerSecond, pascal } from '@isotherm/kernel/quantities'
import type { PumpFreedom } from '../loop/loop-flows.ts'

/** Head at no flow of a circulation pump beside that at its duty point: its curve is flat. */
const SHUT_OFF = 1.25

/**
 * A pump that nobody commands and whose curve nobody knows, from where it runs now: one speed, and a parabola through its
 * present head (Pa) and flow (kg/s) that begins at 1.25 times the head. Worked example: plan-step.test.ts.
 */
export const assumePump = (headPa: number, totalKgS: number): PumpFreedom => ({
  kind: 'fixed-speed',
  pump: pumpThrough(pascal(SHUT_OFF * headPa), pascal(headPa), kilogramPerSecond(totalKgS)),
  speed: 1,
})
