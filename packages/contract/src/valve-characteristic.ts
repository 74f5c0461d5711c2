import { z } from 'zod'

/** Shapes of a valve's curve. `measured`: points taken from a test bench or from the maker's table. */
export const curveKind = z.enum(['equal-percentage', 'linear', 'quick-opening', 'measured'])
export type CurveKind = z.infer<typeof curveKind>

/** Allowed values of a stated characteristic. Kvs and Kv in m³/h at 1 bar. */
export const characteristicRanges = {
  kvsM3H: { min: 0.01, max: 10_000 },
  /** Largest over smallest controllable Kv. */
  rangeability: { min: 2, max: 500 },
  openingPct: { min: 0, max: 100 },
  kvM3H: { min: 0, max: 10_000 },
  /** Number of points of a measured curve. */
  points: { min: 3, max: 21 },
} as const

/** The transport accepts more points than a curve may have, so that the error can say how many it may have. */
const MAX_SENT_POINTS = 1_000

const kvsM3H = z.number().min(characteristicRanges.kvsM3H.min).max(characteristicRanges.kvsM3H.max)

/** One point of a measured curve. */
export const curvePoint = z.object({
  /** Opening, whole %. */
  openingPct: z
    .number()
    .int()
    .min(characteristicRanges.openingPct.min)
    .max(characteristicRanges.openingPct.max),
  /** Flow coefficient at this opening, m³/h at 1 bar. */
  kvM3H: z.number().min(characteristicRanges.kvM3H.min).max(characteristicRanges.kvM3H.max),
})
export type CurvePoint = z.infer<typeof curvePoint>

/**
 * The stated characteristic of a valve: how its flow coefficient depends on its opening. Kvs: m³/h at 1 bar, fully open.
 * The points of a measured curve also satisfy `findCurveFault`.
 */
export const valveCharacteristic = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('equal-percentage'),
    kvsM3H,
    rangeability: z
      .number()
      .min(characteristicRanges.rangeability.min)
      .max(characteristicRanges.rangeability.max),
  }),
  z.object({ kind: z.literal('linear'), kvsM3H }),
  z.object({ kind: z.literal('quick-opening'), kvsM3H }),
  z.object({ kind: z.literal('measured'), points: z.array(curvePoint).max(MAX_SENT_POINTS) }),
])
export type ValveCharacteristic = z.infer<typeof valveCharacteristic>

/** Why points are no curve: their number, openings that do not rise, a last point below 100 %, a Kv that falls or is 0. */
export type CurveFault = 'points' | 'openings' | 'end' | 'kv'

/**
 * Why points are no measured curve; undefined if they are one: 3 to 21 points, openings that rise up to 100 %, Kv that
 * never falls and ends above 0. A first point above 0 % means that the closed valve is tight: Kv is 0 at 0 %.
 */
export function findCurveFault(points: readonly CurvePoint[]): CurveFault | undefined {
  const { min, max } = characteristicRanges.points
  if (points.length < min || points.length > max) return 'points'
  const pairs = points.slice(1).map((point, index) => ({ point, before: points[index] ?? point }))
  if (pairs.some(({ point, before }) => point.openingPct <= before.openingPct)) return 'openings'
  const last = points.at(-1)
  if (last?.openingPct !== characteristicRanges.openingPct.max) return 'end'
  if (last.kvM3H === 0 || pairs.some(({ point, before }) => point.kvM3H < before.kvM3H)) return 'kv'
  return undefined
}

/**
 * Where the curve of a valve comes from: stated for the device, read from the name plate (the model's name), or assumed
 * to be the usual one.
 */
export const curveSource = z.enum(['stated', 'plate', 'assumed'])
export type CurveSource = z.infer<typeof curveSource>

/** The curve with which balancing starts, before it learns from readings. */
export const valveCurve = z.object({
  source: curveSource,
  kind: curveKind,
  /** m³/h at 1 bar, fully open: as stated or as on the name plate. Absent: chosen by the floor area behind the valve. */
  kvsM3H: z.number().positive().optional(),
})
export type ValveCurve = z.infer<typeof valveCurve>
