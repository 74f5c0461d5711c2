import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import type { HeatScale } from '../../../../shared/section/heat-scale.ts'
import { type BuildingSection, toSections } from '../../../../shared/section/section-layout.ts'
import { type CellMetric, findCellValue, toCellScale } from '../../cell-metric.ts'
import { compareByPlace } from '../members/member-rows.ts'

/** What the map may be coloured by: what a plan foresees. */
export const mapMetrics = [
  'deviation',
  'return',
  'room',
  'opening',
  'flow',
  'heat',
] as const satisfies CellMetric[]
export type MapMetric = (typeof mapMetrics)[number]

/** When: as it was, as the plan expects it, as it came. */
export const mapSides = ['before', 'expected', 'after'] as const
export type MapSide = (typeof mapSides)[number]

/** Values of one metric by device. */
export type MapValues = ReadonlyMap<number, number>

/** What is left of a return without its own offset, °C. */
const toCommonC = (returnC: number, { offsetK = 0 }: CampaignMember): number => returnC - offsetK

/** Mean of that by area, °C; undefined where none is known. */
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

/** What a side of the map shows, in the unit of the metric; deviations are from the mean of the same side, floors' from theirs. */
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

/** One scale for all sides, so that before and after can be compared; undefined where nothing is known. */
export const toMapScale = (sides: readonly MapValues[], metric: MapMetric): HeatScale | undefined =>
  toCellScale(
    sides.flatMap((values) => [...values.values()]),
    metric,
  )

/** The buildings of a campaign with their units and floors, by their places. */
export const toMemberSections = (
  members: readonly CampaignMember[],
): readonly BuildingSection<CampaignMember>[] =>
  toSections(members.toSorted(compareByPlace), (member) => member)
