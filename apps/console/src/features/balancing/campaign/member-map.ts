import type { CampaignMember } from '@isotherm/contract/balancing'
import { type BuildingSection, toSections } from '../../../shared/cross-section.ts'
import { type HeatScale, toScale } from '../../../shared/heat-scale.ts'
import { toQuantile } from '../../../shared/statistics.ts'
import { type CellMetric, findCellValue } from '../now/cell-metric.ts'
import { compareByPlace } from './member-rows.ts'

/** What the map may be coloured by: what a plan foresees. */
export const mapMetrics = ['return', 'room', 'opening', 'flow', 'heat'] as const satisfies CellMetric[]
export type MapMetric = (typeof mapMetrics)[number]

/** When: as it was, as the plan expects it, as it came. */
export const mapSides = ['before', 'expected', 'after'] as const
export type MapSide = (typeof mapSides)[number]

/** Value of a valve on the map, in the unit of the metric. */
export function findMapValue(member: CampaignMember, side: MapSide, metric: MapMetric): number | undefined {
  const point = member[side]
  return point && findCellValue({ ...member, ...point }, metric)
}

/** Temperatures closer together than this look alike, K: an evened loop is not to be shown as a spread one. */
const LEAST_SPAN: Readonly<Partial<Record<MapMetric, number>>> = { return: 2, room: 2 }

/**
 * One scale for all sides of the map, so that before and after can be compared; undefined where no valve has a value.
 * Temperatures have the middle of what was before in the middle.
 */
export function toMapScale(members: readonly CampaignMember[], metric: MapMetric): HeatScale | undefined {
  if (metric === 'opening') return { low: 0, high: 100 }
  const known = (side: MapSide) => members.flatMap((member) => findMapValue(member, side, metric) ?? [])
  const before = known('before').toSorted((a, b) => a - b)
  const all = [...before, ...known('expected'), ...known('after')]
  const scale = toScale(all)
  const leastSpan = LEAST_SPAN[metric]
  if (scale === undefined || leastSpan === undefined) return scale
  const middle = toQuantile(before.length > 0 ? before : all.toSorted((a, b) => a - b), 0.5)
  const half = Math.max(middle - scale.low, scale.high - middle, leastSpan / 2)
  return { low: middle - half, high: middle + half }
}

/** The buildings of a campaign with their units and floors, by their places. */
export const toMemberSections = (
  members: readonly CampaignMember[],
): readonly BuildingSection<CampaignMember>[] =>
  toSections(members.toSorted(compareByPlace), (member) => member)
