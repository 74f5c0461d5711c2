import { decideHeadStep, type HeadRules } from '@isotherm/balancing/energy/head-step'
import { decideSupplyStep, type SupplyReason, type SupplyRules } from '@isotherm/balancing/energy/supply-step'
import { toRoomRestS } from '@isotherm/balancing/rooms/room-rest'
import { isHeadAt } from '@isotherm/contract/command'
import { celsius, kelvin, second } from '@isotherm/kernel/quantities'
import { median } from '@isotherm/kernel/statistics'
import type { ForeignPlanner } from '../foreign/drive/controller.ts'
import { nowOf, readSlots } from '../foreign/drive/readings.ts'
import { STATION_ID } from '../foreign/drive/registry.ts'
import { setHead, setSupplyShift } from '../foreign/plant/plant.ts'
import type { Site } from '../foreign/plant/site.ts'

const DAY_MS = 86_400_000
/** The strategy decides twice a day. */
export const SUPPLY_EVERY_S = 12 * 3600

/** A strategy of the supply temperature on a site, and its state between two decisions. */
export interface SupplyStrategy {
  readonly rules: SupplyRules
  readonly headRules: HeadRules
  /** Head before the first step, or that a balance set since, and the last own one, kPa. */
  originalKpa: number
  lastKpa: number
  /** Shift of the heating curve before the first step, K. */
  readonly originalK: number
  changedS: number
  wasRaised: boolean
  readonly reasons: Map<SupplyReason, number>
}

export const createSupplyStrategy = (
  rules: SupplyRules,
  headRules: HeadRules,
  { originalK, originalKpa }: Pick<SupplyStrategy, 'originalK' | 'originalKpa'>,
): SupplyStrategy => ({
  rules,
  headRules,
  originalKpa,
  lastKpa: originalKpa,
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

/**
 * Decides on the supply temperature and the head, and orders them. The server orders the head of a step down an hour after the
 * supply; a decision here counts as both.
 */
export function stepSupply(strategy: SupplyStrategy, site: Site, planner: ForeignPlanner): void {
  const { plant } = site
  const { rules, originalK, changedS, wasRaised, reasons } = strategy
  const buildings = readRooms(site, planner)
  const rooms = buildings.flat()
  const restS = second(toRoomRestS(planner.findTimeConstantS()))
  const decision = decideSupplyStep(rules, {
    offsetK: kelvin(plant.supplyShiftK - originalK),
    originalK: kelvin(0),
    roomsC: rooms.map(({ nowC }) => nowC),
    measuredShare:
      buildings.filter((own) => own.some(({ nowC }) => !Number.isNaN(nowC))).length / buildings.length,
    driftK: kelvin(median(rooms.map(({ beforeC, nowC }) => nowC - beforeC)) ?? Number.NaN),
    sinceChangeS: second(plant.timeS - changedS),
    wasRaised,
    restS,
  })
  reasons.set(decision.why, (reasons.get(decision.why) ?? 0) + 1)
  if (decision.kind !== 'hold') {
    setSupplyShift(plant, originalK + decision.offsetK)
    strategy.changedS = plant.timeS
    strategy.wasRaised = decision.kind !== 'lower'
  }
  const means = readSlots(site, { from: nowOf(site) - DAY_MS, to: nowOf(site), slotMs: DAY_MS })
  const differenceOf = (deviceId: number): number =>
    (means(deviceId, 'temp.supply')?.[0] ?? Number.NaN) - (means(deviceId, 'temp.return')?.[0] ?? Number.NaN)
  const headKpa = (plant.holdPa ?? plant.flows.headPa) / 1000
  if (!isHeadAt(headKpa, strategy.lastKpa)) strategy.originalKpa = headKpa
  const head = decideHeadStep(strategy.headRules, {
    headKpa,
    originalKpa: strategy.originalKpa,
    offsetK: kelvin(plant.supplyShiftK - originalK),
    originalK: kelvin(0),
    differenceK: kelvin(differenceOf(STATION_ID)),
    outdoorC: celsius(means(STATION_ID, 'temp.outdoor')?.[0] ?? Number.NaN),
    coldDifferencesK: planner.loop.consumers.flatMap(({ deviceId }, building) =>
      buildings[building]?.some(({ nowC }) => nowC < rules.coldC) ? [differenceOf(deviceId)] : [],
    ),
    why: decision.why,
    sinceChangeS: second(plant.timeS - strategy.changedS),
    restS,
  })
  if (head.kind === 'hold') return
  setHead(plant, 1000 * head.headKpa)
  strategy.lastKpa = head.headKpa
  setSupplyShift(plant, originalK + head.offsetK)
  strategy.changedS = plant.timeS
  strategy.wasRaised = head.kind !== 'lower'
}
