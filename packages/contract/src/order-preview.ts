import { z } from 'zod'
import { valveHold } from './command.ts'

/** Why a valve would be refused a command. */
export const refusalReason = z.enum([
  'not-a-valve',
  'retired',
  'switched-off',
  /** Outside the opening range of the device. */
  'outside-limits',
  /** Below the lowest opening of a node above it. */
  'below-minimum',
  /** A larger change than one command may make. */
  'too-far',
  /** Held with a higher priority. */
  'held',
])
export type RefusalReason = z.infer<typeof refusalReason>

/** A valve that would be refused a command. */
export const orderRefusal = z.object({
  deviceId: z.number().int().positive(),
  reason: refusalReason,
  /** Allowed range, %, if the opening is the reason. */
  minPct: z.number().min(0).max(100).optional(),
  maxPct: z.number().min(0).max(100).optional(),
  /** The hold on it. */
  hold: valveHold.optional(),
})
export type OrderRefusal = z.infer<typeof orderRefusal>

/** Dry run of commands in the present state: refused valves and holds that would end. Nothing is stored. */
export const orderPreview = z.object({
  refused: z.array(orderRefusal),
  /** Holds that the commands to the other valves would end. */
  ends: z.array(valveHold),
  /** Nodes whose mean opening would become too low; then all commands would be refused. */
  totals: z.array(
    z.object({
      /** Its name. */
      node: z.string(),
      /** Mean opening of the valves, %; absent if the caller cannot see all of them. */
      totalPct: z.number().optional(),
      minTotalPct: z.number(),
    }),
  ),
})
export type OrderPreview = z.infer<typeof orderPreview>
