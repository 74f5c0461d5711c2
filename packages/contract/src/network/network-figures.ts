import { z } from 'zod'
import { device, deviceState } from '../devices.ts'
import { pageOf } from '../filter.ts'

const count = z.number().int().nonnegative()

/** Number of devices of one kind: all, present, silent, and unknown (behind a silent concentrator). */
export const presenceCounts = z.object({ total: count, online: count, silent: count, unknown: count })
export type PresenceCounts = z.infer<typeof presenceCounts>

/** Width of one bar of a distribution, in the unit of its metric. */
export const BIN_WIDTH = 1

/** Distribution of a metric, in its unit. Percentiles are interpolated; their resolution is a tenth of the last shown decimal. */
export const distribution = z.object({
  count: z.number().int().positive(),
  mean: z.number(),
  /** Population standard deviation σ. */
  deviation: z.number(),
  p5: z.number(),
  median: z.number(),
  p95: z.number(),
  /** Bars from the lowest to the highest value without gaps. Each starts at `from` (included) and is one BIN_WIDTH wide. */
  bins: z.array(z.object({ from: z.number(), count })).min(1),
})
export type Distribution = z.infer<typeof distribution>

/** Maximum number of stations in the list. */
export const MAX_STATIONS = 200

/** A station with its newest values. */
export const stationFigures = z.object({
  device: device.pick({ id: true, imei: true, name: true, node: true, nestaddr: true }),
  /** Whether it is present; the values of a silent station are old. */
  online: z.boolean(),
  /** Absent if it has never reported. */
  state: deviceState.optional(),
})
export type StationFigures = z.infer<typeof stationFigures>

/** Figures of the home page for a part of the network. Only trusted values of present devices count. */
export const networkFigures = z.object({
  valves: presenceCounts,
  meters: presenceCounts,
  rooms: presenceCounts,
  /** Return temperatures of the valves, °C; null if none is reported. */
  returnTemps: distribution.nullable(),
  /** Room temperatures, °C; null if none is reported. */
  roomTemps: distribution.nullable(),
  /** Share (0 to 1) of the reported rooms with at least LEGAL_ROOM_C; null if none is reported. */
  warmShare: z.number().min(0).max(1).nullable(),
  /** Sum of the heat meters, kW; null if none reports. */
  powerKw: z.number().nullable(),
  /** The first MAX_STATIONS stations in tree order, and the number of all. */
  stations: pageOf(stationFigures),
})
export type NetworkFigures = z.infer<typeof networkFigures>
