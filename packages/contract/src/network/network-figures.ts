import { z } from 'zod'
import { device, deviceState } from '../devices.ts'
import { pageOf } from '../filter.ts'

const count = z.number().int().nonnegative()

/** How many devices of one kind there are, and of these how many speak, are silent, or nobody can tell of. */
export const presenceCounts = z.object({ total: count, online: count, silent: count, unknown: count })
export type PresenceCounts = z.infer<typeof presenceCounts>

/** Width of one bar of a distribution, in the unit of its metric. */
export const BIN_WIDTH = 1

/** How values of a metric are spread, in its unit. Percentiles are interpolated, and told apart by a tenth of what is shown. */
export const distribution = z.object({
  count: z.number().int().positive(),
  mean: z.number(),
  /** Population standard deviation σ. */
  deviation: z.number(),
  p5: z.number(),
  median: z.number(),
  p95: z.number(),
  /** Values from `from` (included) on, each bar one BIN_WIDTH wide, from the lowest to the highest without gaps. */
  bins: z.array(z.object({ from: z.number(), count })).min(1),
})
export type Distribution = z.infer<typeof distribution>

/** Stations that are listed at most. */
export const MOST_STATIONS = 200

/** A station with its newest values. */
export const stationFigures = z.object({
  device: device.pick({ id: true, imei: true, name: true, node: true, nestaddr: true }),
  /** Whether it speaks; values of one that does not are old. */
  online: z.boolean(),
  /** Absent for one that never reported. */
  state: deviceState.optional(),
})
export type StationFigures = z.infer<typeof stationFigures>

/** What the home page says of a part of the network. Only values of devices that speak and are believed go into a figure. */
export const networkFigures = z.object({
  valves: presenceCounts,
  meters: presenceCounts,
  rooms: presenceCounts,
  /** Return temperatures of the valves, °C; null when none tells. */
  returnTemps: distribution.nullable(),
  /** Temperatures of the rooms, °C; null when none tells. */
  roomTemps: distribution.nullable(),
  /** Share (0 to 1) of the rooms that tell and have at least LEGAL_ROOM_C; null when none tells. */
  warmShare: z.number().min(0).max(1).nullable(),
  /** Sum of the heat meters, kW; null when none tells. */
  powerKw: z.number().nullable(),
  /** The first MOST_STATIONS of them in tree order, and how many there are. */
  stations: pageOf(stationFigures),
})
export type NetworkFigures = z.infer<typeof networkFigures>
