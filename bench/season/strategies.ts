import type { HeadRules } from '@isotherm/balancing/energy/head-step'
import type { SupplyRules } from '@isotherm/balancing/energy/supply-step'
import { USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
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

/** Rules of the pump: at least 70 % of the head before the first step, for a flow lower by a sixth. */
export const headRules: HeadRules = {
  minShare: 0.7,
  minHeadKpa: USUAL_PUMP_LIMITS.minHeadKpa,
  maxStepKpa: USUAL_PUMP_LIMITS.maxStepKpa,
}
