import type { DeviceState } from '@isotherm/contract/devices'
import type { Series } from '@isotherm/contract/endpoints/telemetry'

/** One reading of a curve: [instant in Unix ms, value, quality bits]. */
export type Point = Series['points'][number]

/** The instant of a curve's last point, Unix ms. */
const lastInstant = (series: Series): number => series.points.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY

/**
 * Curves with a device's newest values added at their ends, where they are newer than what stands there.
 * The same array when nothing is added, so that nothing renders.
 */
export function appendState(curves: readonly Series[], state: DeviceState): readonly Series[] {
  let changed = false
  const next = curves.map((series) => {
    const value = series.deviceId === state.deviceId ? state.metrics[series.metric] : undefined
    if (value === undefined || state.ts <= lastInstant(series)) return series
    changed = true
    const point: Point = [state.ts, value, state.quality]
    return { ...series, points: [...series.points, point] }
  })
  return changed ? next : curves
}

/** One line of the history table: an instant and the value of each metric then. */
export interface HistoryRow {
  readonly ts: number
  readonly deviceId: number
  readonly quality: number
  readonly values: ReadonlyMap<string, number>
}

/** Curves turned into table rows, newest first; readings of one device and instant share a row. */
export function toHistoryRows(curves: readonly Series[]): readonly HistoryRow[] {
  const rows = new Map<
    string,
    { ts: number; deviceId: number; quality: number; values: Map<string, number> }
  >()
  for (const { deviceId, metric, points } of curves) {
    for (const [ts, value, quality] of points) {
      const key = `${deviceId}/${ts}`
      const row = rows.get(key) ?? { ts, deviceId, quality: 0, values: new Map<string, number>() }
      row.values.set(metric, value)
      row.quality |= quality
      rows.set(key, row)
    }
  }
  return [...rows.values()].toSorted((a, b) => b.ts - a.ts || a.deviceId - b.deviceId)
}
