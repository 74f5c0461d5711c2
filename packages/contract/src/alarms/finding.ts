import { z } from 'zod'
import { deviceKind } from '../devices.ts'
import { instant } from '../entity.ts'

/**
 * What readings may show of a device, by the rules of protocols.md section 6 (R1 to R14, in their order), and that a
 * node's clock is off.
 */
export const findingRule = z.enum([
  /** R1: outside what the meter can measure. */
  'range',
  /** R2: the power is not that of flow and temperatures. */
  'power-balance',
  /** R3: it is that, but for a power of ten or a unit: the meter is set up wrong. */
  'scale',
  /** R4: energy grows otherwise than power and volume say. */
  'energy-power',
  /** R5: a register fell; `kind` says rollover, meter-change or fall. */
  'register',
  /** R6: energy grew by more than the meter can measure. */
  'jump',
  /** R7: supply and return sensor stand in each other's place. */
  'swapped-sensors',
  /** R8: the flow sensor is in backwards. */
  'reversed-flow',
  /** R9: water flows for a day and gives no heat. */
  'no-heat',
  /** R10: water flows though the valve is closed. */
  'closed-valve',
  /** R11: the same readings again and again. */
  'frozen',
  /** R12: a temperature sensor is open, short or jumps. */
  'sensor',
  /** R13: the meter's own clock is off. */
  'meter-clock',
  /** R14: the meter's hours do not advance as time does. */
  'hours',
  /** The clock of the node that sends is off. */
  'node-clock',
])
export type FindingRule = z.infer<typeof findingRule>

/** Figures by name, such as ratio, before and after. */
export const findingDetail = z.record(z.string(), z.union([z.number(), z.string()]))
export type FindingDetail = z.infer<typeof findingDetail>

/** Something the readings of a device show for a while. */
export const finding = z.object({
  id: z.number().int().positive(),
  deviceId: z.number().int().positive(),
  imei: z.string(),
  name: z.string(),
  kind: deviceKind,
  /** Names of the device's node and its ancestors, comma-joined. */
  nestaddr: z.string(),
  rule: findingRule,
  since: instant,
  /** When the readings ceased to show it; absent while they do. An event ends as it begins. */
  until: instant.optional(),
  detail: findingDetail,
})
export type Finding = z.infer<typeof finding>
