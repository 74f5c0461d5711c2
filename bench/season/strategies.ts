import type { SupplyRules } from '@isotherm/balancing/energy/supply-step'
import { celsius, kelvin } from '@isotherm/kernel/quantities'
import type { CheckingPlan } from './balance-strategy.ts'

/** The operator of a plant that is left alone raises the supply until 95 % of rooms and hours are above this, °C. */
export const OPERATOR_COMFORT_C = 18

/** Strategy of valves and pump: equal rooms, checked every day. */
export const balanceRules: CheckingPlan = {
  kind: 'temperature',
  target: 'room',
  startAboveK: 0.8,
  everyHours: 24,
  trims: 1,
}

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
