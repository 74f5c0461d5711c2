import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import type { Curve } from './history-series.ts'

/** The replaced devices that measured after an instant, Unix ms. */
export const findMeasuring = (earlier: readonly EarlierDevice[], from: number): readonly EarlierDevice[] =>
  earlier.filter(({ to }) => to > from)

/**
 * The curves with those of replaced devices marked as parts of the curve of the device that replaced them. A part without
 * points is left out.
 */
export function markReplaced(curves: readonly Curve[], earlier: readonly EarlierDevice[]): readonly Curve[] {
  const byId = new Map(earlier.map((device) => [device.deviceId, device]))
  return curves.flatMap((curve): Curve[] => {
    const device = byId.get(curve.deviceId)
    if (!device) return [curve]
    if (curve.points.length === 0) return []
    return [{ ...curve, replaced: { by: device.of, imei: device.imei } }]
  })
}

/** Instants inside a half-open span at which devices were replaced, earliest first. */
export const toReplacedAt = (
  earlier: readonly EarlierDevice[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly number[] =>
  [...new Set(earlier.map((device) => device.to))]
    .filter((at) => at >= from && at < to)
    .toSorted((a, b) => a - b)
