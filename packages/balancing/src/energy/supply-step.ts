import { type Celsius, celsius, type Kelvin, kelvin, type Second, second } from '@isotherm/kernel/quantities'
import { quantile, shareWhere } from '@isotherm/kernel/statistics'

/** What people allow an energy strategy that lowers the supply temperature of a station. */
export interface SupplyRules {
  /** Change by one step down, and by one step up. */
  readonly lowerK: Kelvin
  readonly raiseK: Kelvin
  /** Lowest offset of the heating curve. */
  readonly minOffsetK: Kelvin
  /** Temperature that the 5th percentile of measured rooms must have. */
  readonly comfortC: Celsius
  /** Temperature below which a room counts as cold: the legal minimum and a margin. */
  readonly coldC: Celsius
  /** Largest share of cold rooms, 0..1. */
  readonly maxColdShare: number
  /** Least number of measured rooms. */
  readonly minRooms: number
  /** Least share of buildings with a measured room, 0..1. */
  readonly minMeasuredShare: number
}

/** State of a station at a decision. */
export interface SupplySituation {
  /** Present offset of the heating curve, as the controller reports it. */
  readonly offsetK: Kelvin
  /** Offset before the first step of the strategy. It never heats more than that. */
  readonly originalK: Kelvin
  /** Mean of the last day of every measured room, °C; NaN without trusted readings. Estimated rooms do not belong here. */
  readonly roomsC: ArrayLike<number>
  /** Share of buildings with a measured room, 0..1. */
  readonly measuredShare: number
  /** Of these, the rooms with a new reading (NaN for the others), and the share of buildings that have one; all by default. */
  readonly fresh?: { readonly roomsC: ArrayLike<number>; readonly share: number }
  /** Median change of the rooms from the day before to the last day; NaN if it is not known. */
  readonly driftK: Kelvin
  /** Time since the last change of the offset; infinite without one. */
  readonly sinceChangeS: Second
  /** Whether the last change was a rise. */
  readonly wasRaised: boolean
  /** Time in which rooms follow a change of the supply (`toRoomRestS`). */
  readonly restS: Second
  /** Time until rooms are at rest after moves of valves or of the pump; 0 by default. */
  readonly roomsWaitS?: Second
}

/** Why the offset changes or stays. */
export type SupplyReason =
  /** Rooms allow less heat. */
  | 'warm'
  /** More rooms are cold than allowed. */
  | 'cold-rooms'
  /** The coldest twentieth is below the comfort target. */
  | 'below-comfort'
  /** Not enough measured rooms. */
  | 'not-measured'
  /** Rooms have not followed the last change. */
  | 'not-at-rest'
  /** Rooms become colder, or it is not known whether they do. */
  | 'drifting'
  /** Too few measured rooms have a new reading: a step down needs them. */
  | 'not-fresh'
  /** A further step could make rooms too cold. */
  | 'enough'
  /** The lowest allowed offset is reached. */
  | 'at-limit'
  /** Rooms are too cold with the original offset: not a matter of this strategy. */
  | 'at-original'

/** What the decision is based on; undefined without measured rooms. */
export interface SupplyFigures {
  readonly measuredRooms: number
  readonly coldShare: number | undefined
  /** 5th percentile of measured rooms. */
  readonly lowestC: Celsius | undefined
}

/** `offsetK` is the offset to order. `restore` returns to the original offset. `waitS`: time left to wait, if known. */
export type SupplyDecision = SupplyFigures &
  (
    | { readonly kind: 'lower' | 'raise' | 'restore'; readonly why: SupplyReason; readonly offsetK: Kelvin }
    | { readonly kind: 'hold'; readonly why: SupplyReason; readonly waitS?: Second }
  )

/**
 * Change of a room per change of the supply, K/K, at constant flow: 0.51 at design weather and 0.48 at half load, from the
 * emitter's and the building's balance (docs/domain/formulas.md). Worked example: supply-step.test.ts.
 */
export const ROOM_PER_SUPPLY = 0.5
/** A percentile of daily means scatters with sun and wind by about this, K: the offset rises beyond it. */
const COMFORT_BAND_K = 0.3
/** Rooms of a day differ by this with the weather. More shows that they become colder, K. */
const DRIFT_K = 0.5
/** Rooms show within this share of their rest whether a rise was enough; then the next rise may follow. */
const RAISE_REST_SHARE = 0.25
/** Share of the coldest rooms that comfort does not count. */
const COLDEST_SHARE = 0.05
/** Differences of offsets below the resolution of controllers, K. */
const SAME_K = 0.05

const toKnown = (roomsC: ArrayLike<number>): Float64Array =>
  Float64Array.from(roomsC).filter((room) => Number.isFinite(room))

const shareBelow = (rooms: Float64Array, limitC: number): number =>
  shareWhere(rooms, (room) => room < limitC) ?? 0

/** Whether rooms stay warm enough after a step down that makes them colder by `fallK`. */
function allows(rooms: Float64Array, fallK: number, { comfortC, coldC, maxColdShare }: SupplyRules): boolean {
  const lowest = quantile(rooms, COLDEST_SHARE) ?? Number.NEGATIVE_INFINITY
  return lowest - fallK >= comfortC && shareBelow(rooms, coldC + fallK) <= maxColdShare
}

/** In which way rooms are too cold, if they are. */
export function findCold(
  { coldShare = 0, lowestC }: Readonly<{ coldShare?: number | undefined; lowestC?: number | undefined }>,
  { comfortC, maxColdShare }: Readonly<{ comfortC: number; maxColdShare: number }>,
): 'cold-rooms' | 'below-comfort' | undefined {
  if (coldShare > maxColdShare) return 'cold-rooms'
  return lowestC !== undefined && lowestC < comfortC - COMFORT_BAND_K ? 'below-comfort' : undefined
}

const isSame = (oneK: number, otherK: number): boolean => Math.abs(oneK - otherK) < SAME_K

/**
 * The next change of a station's supply temperature: one step down if measured rooms allow it and are at rest, a step up
 * at once if they are too cold, back to the original without measured rooms. Old readings may warn of cold rooms, but only
 * new ones allow a step down. The offset stays between the lowest allowed
 * one and the original. Pure; never fails.
 */
export function decideSupplyStep(rules: SupplyRules, now: SupplySituation): SupplyDecision {
  const { offsetK, originalK, driftK, sinceChangeS, restS } = now
  const rooms = toKnown(now.roomsC)
  const lowest = quantile(rooms, COLDEST_SHARE)
  const figures: SupplyFigures = {
    measuredRooms: rooms.length,
    coldShare: rooms.length === 0 ? undefined : shareBelow(rooms, rules.coldC),
    lowestC: lowest === undefined ? undefined : celsius(lowest),
  }
  const hold = (why: SupplyReason, waitS?: number): SupplyDecision =>
    waitS === undefined
      ? { kind: 'hold', why, ...figures }
      : { kind: 'hold', why, waitS: second(waitS), ...figures }
  const isLowered = offsetK < originalK && !isSame(offsetK, originalK)

  if (lowest === undefined || rooms.length < rules.minRooms || now.measuredShare < rules.minMeasuredShare) {
    return isLowered
      ? { kind: 'restore', why: 'not-measured', offsetK: originalK, ...figures }
      : hold('not-measured')
  }

  const tooCold = findCold(figures, rules)
  if (tooCold) {
    if (!isLowered) return hold('at-original')
    const waitS = RAISE_REST_SHARE * restS - sinceChangeS
    // A step down that was too much is taken back at once.
    if (waitS > 0 && now.wasRaised) return hold(tooCold, waitS)
    return {
      kind: 'raise',
      why: tooCold,
      offsetK: kelvin(Math.min(originalK, offsetK + rules.raiseK)),
      ...figures,
    }
  }

  const restWaitS = Math.max(restS - sinceChangeS, now.roomsWaitS ?? 0)
  if (restWaitS > 0) return hold('not-at-rest', restWaitS)
  if (!(driftK >= -DRIFT_K)) return hold('drifting')
  const next = Math.max(rules.minOffsetK, offsetK - rules.lowerK)
  if (next >= offsetK || isSame(next, offsetK)) return hold('at-limit')
  const fresh = toKnown(now.fresh?.roomsC ?? rooms)
  const freshShare = now.fresh?.share ?? now.measuredShare
  if (fresh.length < rules.minRooms || freshShare < rules.minMeasuredShare) return hold('not-fresh')
  const fallK = ROOM_PER_SUPPLY * (offsetK - next)
  const isAllowed = allows(rooms, fallK, rules) && allows(fresh, fallK, rules)
  return isAllowed ? { kind: 'lower', why: 'warm', offsetK: kelvin(next), ...figures } : hold('enough')
}
