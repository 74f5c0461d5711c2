import type { BalanceMode, CampaignMember, MemberExclusion } from '@isotherm/contract/balancing/campaign'
import { weightedMean } from '@isotherm/kernel/statistics'
import type { Exclusions } from '../loop/exclusions.ts'
import { known } from '../loop/known.ts'
import type { Loop, LoopConsumer } from '../loop/loop.ts'
import { type MeasuredLoop, toM3H } from '../measurements/measured-loop.ts'
import type { RoundPlan } from './planner.ts'

/** Floor area of each consumer if no household of the loop has one, m². */
const ASSUMED_AREA_M2 = 500

/** Heated floor area of each consumer, m²: the mean of the others where the registry has none. */
export function areasOf({
  consumers,
}: {
  readonly consumers: readonly Pick<LoopConsumer, 'areaM2'>[]
}): Float64Array {
  const given = Float64Array.from(consumers, ({ areaM2 }) =>
    areaM2 !== null && areaM2 > 0 ? areaM2 : Number.NaN,
  )
  const usual = weightedMean(given) ?? ASSUMED_AREA_M2
  return given.map((area) => (Number.isNaN(area) ? usual : area))
}

/** Whether a consumer has enough trusted readings: its temperatures, or its meter for a flow balance. */
export const isMeasured = (
  { supplyC, returnC, meterKgS }: MeasuredLoop,
  index: number,
  mode: BalanceMode,
): boolean =>
  !Number.isNaN((supplyC[index] ?? Number.NaN) + (returnC[index] ?? Number.NaN)) ||
  ((mode.kind === 'flow' || mode.kind === 'sequence') && !Number.isNaN(meterKgS[index] ?? Number.NaN))

/**
 * Why each consumer may not be moved, by its index in the loop; `openingPct` is NaN if the opening is not known.
 */
export const findReasons = (
  { consumers }: Loop,
  measured: MeasuredLoop,
  mode: BalanceMode,
  exclusions: Exclusions,
  broken: readonly number[],
  openingPct: Float64Array,
): readonly (MemberExclusion | undefined)[] =>
  consumers.map(({ deviceId }, index) => {
    const reason = exclusions.get(deviceId)
    if (reason) return reason
    if (broken.includes(index)) return 'stuck'
    const isKnown = isMeasured(measured, index, mode) && !Number.isNaN(openingPct[index] ?? Number.NaN)
    return isKnown ? undefined : 'not-measured'
  })

/** Values of a consumer by its index in a loop: kg/s, °C, %. */
export interface PointArrays {
  readonly openingPct: Float64Array
  readonly flowKgS: Float64Array
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  readonly roomC: Float64Array
}

/** Values of a station: Pa, kg/s, W, °C; NaN if not known. */
export type StationPoint = Pick<
  MeasuredLoop,
  'headPa' | 'totalKgS' | 'pumpW' | 'stationSupplyC' | 'stationReturnC' | 'outdoorC'
>

export const toStationPoint = (point: StationPoint): RoundPlan['station']['before'] =>
  known({
    headKpa: point.headPa / 1000,
    flowM3H: toM3H(point.totalKgS),
    pumpKw: point.pumpW / 1000,
    supplyC: point.stationSupplyC,
    returnC: point.stationReturnC,
    outdoorC: point.outdoorC,
  })

/** `sensedC`: mean of the measured rooms of each consumer, °C, NaN without one; the other rooms are estimates. */
export const toPoint = (
  points: PointArrays,
  index: number,
  sensedC: Float64Array,
): CampaignMember['before'] => ({
  openingPct: Math.round(points.openingPct[index] ?? 0),
  ...known({
    flowM3H: toM3H(points.flowKgS[index] ?? Number.NaN),
    supplyC: points.supplyC[index],
    returnC: points.returnC[index],
    roomC: points.roomC[index],
  }),
  ...(Number.isFinite(points.roomC[index])
    ? { roomSource: Number.isNaN(sensedC[index] ?? Number.NaN) ? 'estimated' : 'measured' }
    : {}),
})

export const isMember = ({ path }: LoopConsumer, nodePath: string): boolean => path.startsWith(nodePath)
