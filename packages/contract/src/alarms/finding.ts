import { z } from 'zod'
import { deviceKind } from '../devices.ts'
import { instant } from '../entity.ts'

/**
 * What the plausibility rules R1 to R14, in their order, can find in the readings of a device,
 * and that the clock of a gateway is wrong.
 */
export const findingRule = z.enum([
  /** R1: outside what the meter can measure. */
  'range',
  /** R2: the power does not match flow and temperatures. */
  'power-balance',
  /** R3: the power differs by a power of ten or a unit: the meter is configured wrong. */
  'scale',
  /** R4: the energy register grows differently from power and volume. */
  'energy-power',
  /** R5: a register decreased; `kind` is rollover, meter-change or fall. */
  'register',
  /** R6: energy grew by more than the meter can measure. */
  'jump',
  /** R7: supply and return sensor are swapped. */
  'swapped-sensors',
  /** R8: the flow sensor is installed backwards. */
  'reversed-flow',
  /** R9: water flows for a day without giving off heat. */
  'no-heat',
  /** R10: water flows though the valve is closed. */
  'closed-valve',
  /** R11: the readings do not change. */
  'frozen',
  /** R12: a temperature sensor is open, shorted or jumps. */
  'sensor',
  /** R13: the meter's own clock is wrong. */
  'meter-clock',
  /** R14: the meter's operating hours do not advance with time. */
  'hours',
  /** The clock of the sending gateway is wrong. */
  'node-clock',
])
export type FindingRule = z.infer<typeof findingRule>

/** Figures by name, such as ratio, before and after. */
export const findingDetail = z.record(z.string(), z.union([z.number(), z.string()]))
export type FindingDetail = z.infer<typeof findingDetail>

/** A condition that the readings of a device show for some time. */
export const finding = z.object({
  id: z.number().int().positive(),
  deviceId: z.number().int().positive(),
  imei: z.string(),
  name: z.string(),
  kind: deviceKind,
  /** Names of the device's node and its ancestors, joined by commas. */
  nestaddr: z.string(),
  rule: findingRule,
  since: instant,
  /** When the readings stopped showing it; absent while they do. For an event it equals the start. */
  until: instant.optional(),
  detail: findingDetail,
})
export type Finding = z.infer<typeof finding>
