import { countByRatio } from '@isotherm/balancing/indices/indices'

/** Bounds of the flow ratio classes. 0.9 to 1.2 passes the balance degree of JGJ/T 132. */
const ratioBounds = [0.5, 0.7, 0.9, 1.2, 1.5, 2] as const

/** Number of valves with a flow ratio x = ṁ/ṁ* between two bounds; the first and last class are open. */
export interface RatioCount {
  readonly from?: number
  readonly to?: number
  readonly valves: number
  readonly passes: boolean
}

interface Flowing {
  readonly flowM3H?: number | undefined
  readonly areaM2: number
}

const PASS_FROM = 0.9
const PASS_TO = 1.2

/** Counts valves by flow ratio, with ṁ* = present total flow shared by area. Empty without measured flows. */
export function countFlowRatios(valves: readonly Flowing[]): readonly RatioCount[] {
  const measured = valves.flatMap(({ flowM3H, areaM2 }) =>
    flowM3H === undefined || !(areaM2 > 0) ? [] : [{ flowM3H, areaM2 }],
  )
  const flow = measured.reduce((sum, valve) => sum + valve.flowM3H, 0)
  const area = measured.reduce((sum, valve) => sum + valve.areaM2, 0)
  if (!(flow > 0)) return []
  const ratios = measured.map((valve) => (valve.flowM3H * area) / (valve.areaM2 * flow))
  return countByRatio(ratios, ratioBounds).map((count, index) => {
    const [from, to] = [ratioBounds[index - 1], ratioBounds[index]]
    return {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      valves: count,
      passes: from === PASS_FROM && to === PASS_TO,
    }
  })
}
