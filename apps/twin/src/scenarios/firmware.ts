import type { DeviceKind } from '@isotherm/contract/devices'
import { z } from 'zod'

const period = z
  .number()
  .positive()
  .max(7 * 86_400)

/** Report period of a sensor in recipes from before there were sensors, s. */
const SENSOR_PERIOD_S = 60

/**
 * Behaviour of the firmware of a company's devices. Periods and windows are in wire time: real seconds, independent of
 * the plant's time factor (docs/adr/0037).
 */
export const firmware = z.object({
  /** Report period of each kind, s. */
  periodS: z.object({
    valve: period,
    'heat-meter': period,
    'room-sensor': period,
    station: period,
    concentrator: period,
    sensor: period.default(SENSOR_PERIOD_S),
  }) satisfies z.ZodType<Record<DeviceKind, number>>,
  /** Time a battery valve listens after its report, s; undefined for mains power. */
  awakeS: z.number().positive().optional(),
  /** Valves with their own link run on a battery: report period, and listening time after a report, s. */
  ownLink: z
    .object({ periodS: period, awakeS: z.number().positive() })
    .default({ periodS: 14_400, awakeS: 20 }),
  /** Whether concentrators publish every frame of their heat meter bus on up/raw. */
  busTrace: z.boolean().default(false),
  /** Standard deviation of the concentrators' clock drift, parts per million. */
  clockDriftPpm: z.number().nonnegative(),
  /** Capacity of a concentrator's buffer for times without a connection, messages. */
  bufferMessages: z.number().int().positive(),
})
export type Firmware = z.infer<typeof firmware>

/** Mains power and short periods, so that changes in the demo are visible. */
export const demoFirmware: Firmware = {
  periodS: { valve: 5, 'heat-meter': 10, 'room-sensor': 20, station: 5, concentrator: 30, sensor: 5 },
  ownLink: { periodS: 600, awakeS: 15 },
  busTrace: false,
  clockDriftPpm: 0,
  bufferMessages: 5000,
}

/**
 * Periods of real fields (balancing.md B.7): valves and meters on a wired bus every 15 minutes, room sensors hourly;
 * clocks drift by about two seconds a day. The buffer holds more than a day of messages of a station with 1,000 flats.
 */
export const fieldFirmware: Firmware = {
  periodS: { valve: 900, 'heat-meter': 900, 'room-sensor': 3600, station: 60, concentrator: 600, sensor: 60 },
  ownLink: { periodS: 14_400, awakeS: 20 },
  busTrace: false,
  clockDriftPpm: 20,
  bufferMessages: 20_000,
}
