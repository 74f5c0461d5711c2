import { openingRatio } from '@isotherm/kernel/quantities'
import { type FieldGateway, runMotors } from '../devices/gateway/field-gateway.ts'
import { startMove } from '../devices/models/valve-actuator.ts'
import { secondOfDay } from '../plant/second-of-day.ts'
import { settleFlows } from '../plant/station-plant.ts'
import type { StationSpec, WateringProgram } from '../scenarios/scenario.ts'

/**
 * The group that a program waters at a second of the day; undefined outside of its water time. The groups take turns;
 * with `cycle` each is watered in several parts.
 */
function findGroup(program: WateringProgram, second: number): string | undefined {
  const { startMinutes, groups, runS, cycle } = program
  const partS = Math.min(runS, cycle?.maxS ?? runS)
  const parts = groups.length * Math.ceil(runS / partS)
  for (const minute of startMinutes) {
    const part = Math.floor((second - 60 * minute) / partS)
    if (part >= 0 && part < parts) return groups[part % groups.length]
  }
  return undefined
}

/** Indices of the units whose valves the programs of a pump house hold open at a simulated instant. */
export function listWatered({ watering, buildings }: StationSpec, simTimeS: number): ReadonlySet<number> {
  const second = secondOfDay(simTimeS)
  const groups = new Set(watering?.programs.map((program) => findGroup(program, second)))
  return new Set(buildings.flatMap(({ key, units }) => (groups.has(key) ? units : [])))
}

/**
 * Sets the valves of a pump house for a simulated instant, by the timer in its cabinet: before the company used this
 * product, the timer watered the groups by the programs. Returns whether any valve is open or has just closed.
 */
export function setValvesByTimer(gateway: FieldGateway, nowMs: number, simTimeS: number): boolean {
  const open = listWatered(gateway.plant.spec, simTimeS)
  let isWatering = open.size > 0
  for (const { actuator, index, unit } of gateway.valves.values()) {
    const opening = openingRatio(open.has(index) ? 1 : 0)
    if (actuator.target === opening) continue
    startMove(actuator, opening, simTimeS - unit.strokeS)
    isWatering = true
  }
  runMotors(gateway, nowMs, simTimeS)
  settleFlows(gateway.plant)
  return isWatering
}
