import { decideSupplyStep, type SupplyReason, type SupplyRules } from '@isotherm/balancing/energy/supply-step'
import { toRoomRestS } from '@isotherm/balancing/rooms/room-rest'
import { kelvin, second } from '@isotherm/kernel/quantities'
import { median } from '@isotherm/kernel/statistics'
import type { ForeignPlanner } from '../foreign/drive/controller.ts'
import { nowOf, readSlots } from '../foreign/drive/readings.ts'
import { setSupplyShift } from '../foreign/plant/plant.ts'
import type { Site } from '../foreign/plant/site.ts'

const DAY_MS = 86_400_000
/** The strategy decides twice a day. */
export const SUPPLY_EVERY_S = 12 * 3600

/** A strategy of the supply temperature on a site, and its state between two decisions. */
export interface SupplyStrategy {
  readonly rules: SupplyRules
  /** Shift of the heating curve before the first step, K. */
  readonly originalK: number
  changedS: number
  wasRaised: boolean
  readonly reasons: Map<SupplyReason, number>
}

export const createSupplyStrategy = (rules: SupplyRules, originalK: number): SupplyStrategy => ({
  rules,
  originalK,
  changedS: Number.NEGATIVE_INFINITY,
  wasRaised: false,
  reasons: new Map(),
})

/** Means of the room sensors of each building in the last day and the day before, °C. */
function readRooms(site: Site, { loop }: ForeignPlanner) {
  const to = nowOf(site)
  const means = readSlots(site, { from: to - 2 * DAY_MS, to, slotMs: DAY_MS })
  return loop.consumers.map(({ rooms }) =>
    rooms.map(({ deviceId }) => {
      const [beforeC = Number.NaN, nowC = Number.NaN] = means(deviceId, 'temp.room') ?? []
      return { beforeC, nowC }
    }),
  )
}

/** Decides on the supply temperature and orders it. */
export function stepSupply(strategy: SupplyStrategy, site: Site, planner: ForeignPlanner): void {
  const { plant } = site
  const { rules, originalK, changedS, wasRaised, reasons } = strategy
  const buildings = readRooms(site, planner)
  const rooms = buildings.flat()
  const decision = decideSupplyStep(rules, {
    offsetK: kelvin(plant.supplyShiftK - originalK),
    originalK: kelvin(0),
    roomsC: rooms.map(({ nowC }) => nowC),
    measuredShare:
      buildings.filter((own) => own.some(({ nowC }) => !Number.isNaN(nowC))).length / buildings.length,
    driftK: kelvin(median(rooms.map(({ beforeC, nowC }) => nowC - beforeC)) ?? Number.NaN),
    sinceChangeS: second(plant.timeS - changedS),
    wasRaised,
    restS: second(toRoomRestS(planner.findTimeConstantS())),
  })
  reasons.set(decision.why, (reasons.get(decision.why) ?? 0) + 1)
  if (decision.kind === 'hold') return
  setSupplyShift(plant, originalK + decision.offsetK)
  strategy.changedS = plant.timeS
  strategy.wasRaised = decision.kind !== 'lower'
}
