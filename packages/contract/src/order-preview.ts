import { z } from 'zod'
import { valveHold } from './command.ts'

/** Why a valve would not be given an order. */
export const refusalReason = z.enum([
  'not-a-valve',
  'retired',
  'switched-off',
  /** Outside what the device may be told. */
  'outside-limits',
  /** Below the lowest opening that a node above it allows. */
  'below-minimum',
  /** Farther than one command may turn it. */
  'too-far',
  /** An order of a higher priority is held. */
  'held',
])
export type RefusalReason = z.infer<typeof refusalReason>

/** A valve that an order would not be given to. */
export const orderRefusal = z.object({
  deviceId: z.number().int().positive(),
  reason: refusalReason,
  /** What it may be told instead, %, where openings are the reason. */
  minPct: z.number().min(0).max(100).optional(),
  maxPct: z.number().min(0).max(100).optional(),
  /** What holds it. */
  hold: valveHold.optional(),
})
export type OrderRefusal = z.infer<typeof orderRefusal>

/** What an order would meet if it were given now, and nothing of it stored. */
export const orderPreview = z.object({
  refused: z.array(orderRefusal),
  /** Holds that the order to the other valves would end. */
  ends: z.array(valveHold),
  /** Nodes whose valves the order to the others would close too far together: all of it would be refused. */
  totals: z.array(
    z.object({
      /** Its name. */
      node: z.string(),
      /** How far they would be open together, %; absent for who does not see all of them. */
      totalPct: z.number().optional(),
      minTotalPct: z.number(),
    }),
  ),
})
export type OrderPreview = z.infer<typeof orderPreview>
