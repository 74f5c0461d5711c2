import { median, sum } from '@isotherm/kernel/statistics'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { ASSUMED_ROOM_C } from '../rooms/room-gate.ts'

/**
 * Where a floor area comes from: the registry; the heat of the consumer; its flow; or a share of the station, by the
 * size of its valve where plates are known.
 */
export const areaSources = ['recorded', 'heat', 'flow', 'share'] as const
export type AreaSource = (typeof areaSources)[number]

/** Means of a time window; arrays by consumer, NaN if not known. */
export interface AreaReadings {
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  readonly meterKgS: Float64Array
  readonly roomC: Float64Array
  readonly outdoorC: number
  readonly totalKgS: number
}

/** Facts about one consumer. */
export interface AreaFacts {
  /** Recorded area, m²; not above zero if there is none. */
  readonly areaM2: number
  /** Kvs of its plate, m³/h. */
  readonly kvs?: number | undefined
  readonly exponent: number
  /** Designed K of its emitters for each m², W/(K^n·m²), and designed flow for each m², kg/(s·m²). */
  readonly emitterM2: number
  readonly flowM2: number
}

/** Arrays by consumer. */
export interface AreaEstimate {
  readonly areaM2: readonly number[]
  readonly source: readonly AreaSource[]
  /** Standard deviation of the logarithm; 0 for a recorded area. */
  readonly sigma: readonly number[]
}

/** Floor area of a consumer if nothing at all is known, m². */
const ANY_AREA_M2 = 1000
/** Standard deviations of estimates against consumers with recorded areas, and against the usual design. */
const SIGMA = {
  heat: { recorded: 0.15, designed: 0.3 },
  flow: { recorded: 0.35, designed: 0.45 },
  share: { recorded: 0.5, designed: 0.6 },
} as const
/** Minimum number of consumers with a recorded area for their own spread to count. */
const MIN_RECORDED = 3
const SCALE_OF_MAD = 1.4826

const isKnown = (value: number): boolean => Number.isFinite(value) && value > 0
const unknownOf = (count: number): Float64Array => new Float64Array(count).fill(Number.NaN)

/** Sizes by consumer, in any unit, as areas: by what each m² of the consumers with known areas has. */
function scaleBy(size: Float64Array, areaM2: Float64Array): Float64Array | undefined {
  const each = median(size.map((value, i) => value / (areaM2[i] ?? Number.NaN)))
  return each === undefined || !isKnown(each) ? undefined : size.map((value) => value / each)
}

/**
 * Sizes of consumers by their heat, as areas: that of the emitters, Q/LMTD^n, and that of the walls, Q/(T_i − T_o). An
 * assumed room that is too warm makes the emitters too large and the walls too small, so their geometric mean hardly
 * depends on it.
 */
function sizesByHeat(facts: readonly AreaFacts[], readings: AreaReadings, recorded: Float64Array) {
  const { supplyC, returnC, meterKgS, roomC, outdoorC } = readings
  const emitters = unknownOf(facts.length)
  const walls = unknownOf(facts.length)
  for (const [i, { exponent, emitterM2 }] of facts.entries()) {
    const [supply, back] = [supplyC[i] ?? Number.NaN, returnC[i] ?? Number.NaN]
    const shown = roomC[i] ?? Number.NaN
    const room = Number.isNaN(shown) ? ASSUMED_ROOM_C : shown
    const heat = (meterKgS[i] ?? Number.NaN) * WATER_HEAT_CAPACITY * (supply - back)
    const excess = logMeanDifference(supply - room, back - room)
    if (!(heat > 0 && excess > 0)) continue
    emitters[i] = heat / excess ** exponent / emitterM2
    walls[i] = room > outdoorC ? heat / (room - outdoorC) : Number.NaN
  }
  const own = scaleBy(emitters, recorded) ?? emitters
  // Without a recorded area the walls have the scale of the designed emitters.
  const around = scaleBy(walls, recorded) ?? scaleBy(walls, emitters) ?? walls
  return own.map((area, i) => (isKnown(around[i] ?? Number.NaN) ? Math.sqrt(area * (around[i] ?? 0)) : area))
}

/** Spread of estimated areas around the recorded ones. */
function spreadAround(estimated: Float64Array, recorded: Float64Array): number | undefined {
  const logs = estimated.map((area, i) => Math.abs(Math.log(area / (recorded[i] ?? Number.NaN))))
  if (logs.filter((value) => !Number.isNaN(value)).length < MIN_RECORDED) return undefined
  return SCALE_OF_MAD * (median(logs) ?? 0)
}

/** Area that the whole flow of a station would heat with emitters as designed, m². */
function areaOfStation(facts: readonly AreaFacts[], { totalKgS, supplyC, returnC }: AreaReadings): number {
  const middle = (read: (fact: AreaFacts) => number): number => median(facts.map(read)) ?? Number.NaN
  const [supply, back] = [median(supplyC) ?? Number.NaN, median(returnC) ?? Number.NaN]
  const excess = logMeanDifference(supply - ASSUMED_ROOM_C, back - ASSUMED_ROOM_C)
  const heatM2 = middle(({ emitterM2 }) => emitterM2) * excess ** middle(({ exponent }) => exponent)
  const byHeat = (totalKgS * WATER_HEAT_CAPACITY * (supply - back)) / heatM2
  return isKnown(byHeat) ? byHeat : totalKgS / middle(({ flowM2 }) => flowM2)
}

/**
 * Sizes of consumers by the Kvs of their plates: like those of the known consumers, or shares of the whole station.
 * Without a station flow each has the usual area.
 */
function sizesByShare(
  facts: readonly AreaFacts[],
  readings: AreaReadings | undefined,
  known: Float64Array,
): Float64Array {
  const usualKvs = median(facts.map(({ kvs }) => kvs ?? Number.NaN)) ?? 1
  const weight = Float64Array.from(facts, ({ kvs }) => (kvs ?? usualKvs) / usualKvs)
  const alike = median(known.map((area, i) => (isKnown(area) ? area / (weight[i] ?? 1) : Number.NaN)))
  const whole = readings ? areaOfStation(facts, readings) : Number.NaN
  const each = alike ?? (isKnown(whole) ? whole / sum(weight) : ANY_AREA_M2)
  return weight.map((own) => each * own)
}

/**
 * Floor areas of all consumers, m². An area that is not recorded comes from the heat of the consumer, from its flow, or
 * is a share, each compared with the consumers of the same station whose areas are recorded, or with the usual design
 * without any. Without readings it is a share. Worked example: estimate-areas.test.ts.
 */
export function estimateAreas(facts: readonly AreaFacts[], readings?: AreaReadings): AreaEstimate {
  const recorded = Float64Array.from(facts, ({ areaM2 }) => (areaM2 > 0 ? areaM2 : Number.NaN))
  const hasRecorded = recorded.some(isKnown)
  const none = unknownOf(facts.length)
  const byHeat = readings ? sizesByHeat(facts, readings, recorded) : none
  const known = recorded.map((area, i) => (isKnown(area) ? area : (byHeat[i] ?? Number.NaN)))
  const flows = readings ? readings.meterKgS : none
  const byDesign = flows.map((flow, i) => flow / (facts[i]?.flowM2 ?? Number.NaN))
  const byFlow = scaleBy(flows, known) ?? byDesign
  const seen = known.map((area, i) => (isKnown(area) ? area : (byFlow[i] ?? Number.NaN)))
  const byShare = sizesByShare(facts, readings, seen)
  const compared = hasRecorded ? 'recorded' : 'designed'
  const sigmas = {
    recorded: 0,
    heat: Math.max(SIGMA.heat[compared], spreadAround(byHeat, recorded) ?? 0),
    flow: SIGMA.flow[compared],
    share: SIGMA.share[compared],
  }
  const source = facts.map((_, i): AreaSource => {
    if (isKnown(recorded[i] ?? Number.NaN)) return 'recorded'
    if (isKnown(byHeat[i] ?? Number.NaN)) return 'heat'
    return isKnown(byFlow[i] ?? Number.NaN) ? 'flow' : 'share'
  })
  const values = { recorded, heat: byHeat, flow: byFlow, share: byShare }
  return {
    source,
    areaM2: source.map((from, i) => values[from][i] ?? ANY_AREA_M2),
    sigma: source.map((from) => sigmas[from]),
  }
}
