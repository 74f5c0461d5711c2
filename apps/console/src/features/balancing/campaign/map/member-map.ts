import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import type { HeatScale } from '../../../../shared/section/heat-scale.ts'
import { type BuildingSection, toSections } from '../../../../shared/section/section-layout.ts'
import { type CellMetric, findCellValue, toCellScale } from '../../cell-metric.ts'
import { compareByPlace } from '../members/member-rows.ts'

/** Metrics of the map: those that a plan predicts. */
export const mapMetrics = [
  'deviation',
  'return',
  'room',
  'opening',
  'flow',
  'heat',
] as const satisfies CellMetric[]
export type MapMetric = (typeof mapMetrics)[number]

/** Side of the map: before, predicted, after. */
export const mapSides = ['before', 'expected', 'after'] as const
export type MapSide = (typeof mapSides)[number]

/** Values of one metric by device. */
export type MapValues = ReadonlyMap<number, number>

/** Return temperature without the valve's target offset, °C. */
const toCommonC = (returnC: number, { offsetK = 0 }: CampaignMember): number => returnC - offsetK

/** Its area-weighted mean, °C; undefined without values. */
function findMeanC(members: readonly CampaignMember[], side: MapSide): number | undefined {
  let [sum, areaM2] = [0, 0]
  for (const member of members) {
    const returnC = member[side]?.returnC
    if (returnC === undefined) continue
    sum += toCommonC(returnC, member) * member.areaM2
    areaM2 += member.areaM2
  }
  return areaM2 > 0 ? sum / areaM2 : undefined
}

/**
 * Values of one side of the map, in the unit of the metric. Deviations are from the mean of the same side, corrected
 * for floor heating.
 */
export function toMapValues(members: readonly CampaignMember[], side: MapSide, metric: MapMetric): MapValues {
  const meanC = findMeanC(members, side)
  return new Map(
    members.flatMap((member) => {
      const point = member[side]
      if (point === undefined) return []
      const { returnC } = point
      const isKnown = returnC !== undefined && meanC !== undefined
      const apart = isKnown && { deviationK: toCommonC(returnC, member) - meanC }
      const value = findCellValue({ ...member, ...point, ...apart }, metric)
      return value === undefined ? [] : [[member.deviceId, value] as const]
    }),
  )
}

/** One scale for all sides, so that they can be compared; undefined without values. */
export const toMapScale = (sides: readonly MapValues[], metric: MapMetric): HeatScale | undefined =>
  toCellScale(
    sides.flatMap((values) => [...values.values()]),
    metric,
  )

/** Cross-sections of a campaign's buildings, sorted by place. */
export const toMemberSections = (
  members: readonly CampaignMember[],
): readonly BuildingSection<CampaignMember>[] =>
  toSections(members.toSorted(compareByPlace), (member) => member)
