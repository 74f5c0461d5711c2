import { pumpThrough } from '@isotherm/hydraulics/elements/pump'
import { kilogramPerSecond, pascal } from '@isotherm/kernel/quantities'
import type { PumpFreedom } from '../loop/loop-flows.ts'

/** Head of a circulation pump at zero flow, relative to its duty point: its curve is flat. */
const SHUT_OFF = 1.25

/**
 * A pump at one speed with an unknown curve: a parabola through its present head (Pa) and flow (kg/s) that starts at
 * 1.25 times the head. Worked example: plan-step.test.ts.
 */
export const assumePump = (headPa: number, totalKgS: number): PumpFreedom => ({
  kind: 'fixed-speed',
  pump: pumpThrough(pascal(SHUT_OFF * headPa), pascal(headPa), kilogramPerSecond(totalKgS)),
  speed: 1,
})
