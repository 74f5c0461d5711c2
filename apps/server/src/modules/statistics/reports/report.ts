import type { MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { FigureName } from '@isotherm/contract/statistics/reports'
import type { DayRange } from '../../meters/index.ts'

/** What a report is about. */
export interface ReportQuery {
  /** Subtrees of the caller. */
  readonly paths: readonly string[]
  /** Days that are over. */
  readonly range: DayRange
}

/** Places whose figures are wanted: the nodes of a level, without nodes below each other. */
export interface ReportPlaces {
  readonly paths: readonly string[]
  /** Index of the node at or above a path; undefined if there is none. */
  readonly find: (path: string) => number | undefined
}

/** Figures by place, and of everything. */
export interface Computed {
  readonly rows: readonly MeasuredFigures[]
  readonly whole: MeasuredFigures
}

/** Value of the main figure in a span of days. */
export interface CourseValue {
  readonly value: number | undefined
  readonly measured: number
  readonly devices: number
}

/** One of the fixed reports. */
export interface Report {
  compute(query: ReportQuery, places: ReportPlaces): Promise<Computed>
  /** Values of the spans, which are ascending and have no gaps. */
  computeCourse(query: ReportQuery, spans: readonly DayRange[]): Promise<readonly CourseValue[]>
}

/** Figures without those that are not known. */
export function toMeasured(
  figures: Partial<Record<FigureName, number | undefined>>,
  measured: number,
  devices: number,
): MeasuredFigures {
  const known = Object.entries(figures).filter(([, value]) => value !== undefined && Number.isFinite(value))
  return { figures: Object.fromEntries(known), measured, devices }
}

/** Places by their paths. */
export function toPlaces(paths: readonly string[]): ReportPlaces {
  const indexAt = new Map(paths.map((path, index) => [path, index]))
  return {
    paths,
    find(path) {
      for (let at = path.indexOf('/', 1); at >= 0; at = path.indexOf('/', at + 1)) {
        const index = indexAt.get(path.slice(0, at + 1))
        if (index !== undefined) return index
      }
      return undefined
    },
  }
}

/** Groups things by their place; things without a place are left out. */
export function groupByPlace<Thing extends { readonly path: string }>(
  things: readonly Thing[],
  { paths, find }: ReportPlaces,
): readonly (readonly Thing[])[] {
  const groups: Thing[][] = paths.map(() => [])
  for (const thing of things) {
    const index = find(thing.path)
    if (index !== undefined) groups[index]?.push(thing)
  }
  return groups
}
