import type { DeviceKind } from '@isotherm/contract/devices'
import { z } from 'zod'

const period = z
  .number()
  .positive()
  .max(7 * 86_400)

/**
 * How the firmware of a company's devices behaves. Periods and windows are those of the wire: real seconds, whatever
 * the plant's time factor (docs/adr/0037).
 */
export const firmware = z.object({
  /** How often each kind reports, s. */
  periodS: z.object({
    valve: period,
    'heat-meter': period,
    'room-sensor': period,
    station: period,
    concentrator: period,
  }) satisfies z.ZodType<Record<DeviceKind, number>>,
  /** A battery valve listens only for so long after its report, s; undefined for one on the mains. */
  awakeS: z.number().positive().optional(),
  /** A valve with a radio of its own lives on its battery: how often it reports, and how long it listens after that, s. */
  ownLink: z
    .object({ periodS: period, awakeS: z.number().positive() })
    .default({ periodS: 14_400, awakeS: 20 }),
  /** Concentrators hand on what is said on the bus of their heat meters, frame by frame, on up/raw. */
  busTrace: z.boolean().default(false),
  /** Standard deviation of the concentrators' clock drift, parts per million. */
  clockDriftPpm: z.number().nonnegative(),
  /** How many messages a concentrator keeps while it cannot send. */
  bufferMessages: z.number().int().positive(),
})
export type Firmware = z.infer<typeof firmware>

/** On mains power and fast, so that people see the demo move. */
export const demoFirmware: Firmware = {
  periodS: { valve: 5, 'heat-meter': 10, 'room-sensor': 20, station: 5, concentrator: 30 },
  ownLink: { periodS: 600, awakeS: 15 },
  busTrace: false,
  clockDriftPpm: 0,
  bufferMessages: 5000,
}

/**
 * As in the field (balancing.md B.7): valves and meters on a wired bus every 15 minutes, room sensors hourly, clocks
 * that go wrong by some two seconds a day. The buffer holds the messages of a day and more of a station of a thousand
 * flats.
 */
export const fieldFirmware: Firmware = {
  periodS: { valve: 900, 'heat-meter': 900, 'room-sensor': 3600, station: 60, concentrator: 600 },
  ownLink: { periodS: 14_400, awakeS: 20 },
  busTrace: false,
  clockDriftPpm: 20,
  bufferMessages: 20_000,
}
