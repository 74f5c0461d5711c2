import type { SupplyRules } from '@isotherm/balancing/energy/supply-step'
import { type PumpLimits, USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import { celsius, kelvin } from '@isotherm/kernel/quantities'
import type { CheckingPlan } from './balance-strategy.ts'

/** The operator of a plant that is left alone raises the supply until 95 % of rooms and hours are above this, °C. */
export const OPERATOR_COMFORT_C = 18

/** Strategy of valves and pump: equal rooms, checked every day. */
export const balanceRules = {
  kind: 'temperature',
  target: 'room',
  startAboveK: 0.8,
  everyHours: 24,
  trims: 1,
} as const satisfies CheckingPlan

/** Strategy of the supply temperature: 95 % of measured rooms at 18.5 °C. */
export const supplyRules: SupplyRules = {
  lowerK: kelvin(1),
  raiseK: kelvin(2),
  minOffsetK: kelvin(-12),
  comfortC: celsius(18.5),
  coldC: celsius(18),
  maxColdShare: 0.05,
  minRooms: 20,
  minMeasuredShare: 0.5,
}

/**
 * Highest head that people allow the pump before they start the strategies, as a share of the head that they found:
 * ISOTHERM_BENCH_HEAD_SHARE=0.7 for a flow lower by a sixth. A plan preserves the flow of the loop as far as the pump's limits
 * allow; the supply temperature makes up for the rest. By default the usual limits apply.
 */
export const HEAD_SHARE = Number(process.env.ISOTHERM_BENCH_HEAD_SHARE ?? Number.POSITIVE_INFINITY)

/** Limits of the pump by the head that people found, kPa. */
export const pumpLimitsFor = (foundKpa: number, share = HEAD_SHARE): PumpLimits => ({
  ...USUAL_PUMP_LIMITS,
  maxHeadKpa: Math.min(USUAL_PUMP_LIMITS.maxHeadKpa, Math.round(share * foundKpa)),
})
