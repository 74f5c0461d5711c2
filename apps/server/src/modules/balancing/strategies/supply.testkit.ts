import type { StrategyPlan, SupplyRules } from '@isotherm/contract/balancing/strategies'
import type { SupplyRooms } from './rooms/supply-rooms.ts'
import type { SupplyWatchNeeds } from './run/tick-needs.ts'

/** A hundred rooms, the coldest at `lowestC` and the warmest 4 K above: the 5th percentile is 0.2 K above the coldest. */
export const roomsFrom = (lowestC: number): Float64Array =>
  Float64Array.from({ length: 100 }, (_, index) => lowestC + 0.04 * index)

/** Warm rooms at rest, all measured and reported just now. */
export const createTestRooms = (): { -readonly [Key in keyof SupplyRooms]: SupplyRooms[Key] } => ({
  deviceId: 1,
  offsetK: 0,
  headKpa: undefined,
  measuredKpa: undefined,
  isPresent: true,
  roomsC: roomsFrom(22),
  measuredShare: 1,
  fresh: { roomsC: roomsFrom(22), share: 1 },
  driftK: 0,
  restS: 48 * 3_600,
  waitS: 0,
  differenceK: 8,
  outdoorC: 0,
  valves: [],
})

export const supplyRules: SupplyRules = {
  comfortC: 20,
  coldMarginK: 0.5,
  maxColdShare: 0.02,
  lowerK: 1,
  minMeasuredShare: 0.5,
}

/** Balances heat, whose dead band is never left, and lowers the supply. */
export const byHeat = {
  kind: 'energy',
  line: { cold: { outdoorC: -15, heatWM2: 45 }, mild: { outdoorC: 10, heatWM2: 15 } },
  startAboveShare: 1,
  supply: supplyRules,
  everyHours: 6,
  trims: 0,
} satisfies StrategyPlan

const unused = async (): Promise<never> => {
  throw new Error('this strategy leaves the supply temperature alone')
}

/** For strategies without rules for the supply. */
export const withoutSupply: SupplyWatchNeeds = {
  pumps: { setHead: unused, findLimits: unused },
  supplies: { setOffset: unused, findLimits: unused, findLastOrder: unused },
  timeFactor: () => undefined,
  readRooms: unused,
  readStation: unused,
}
