import { z } from 'zod'

/** States of a valve command, in docs/specs/command.md with the total table of its transitions. */
export const commandState = z.enum([
  'queued',
  'sent',
  'delivered',
  'accepted',
  'done',
  'confirmed',
  'failed',
  'expired',
  'superseded',
  'cancelled',
  'unknown',
])
export type CommandState = z.infer<typeof commandState>

export const finalCommandStates: ReadonlySet<CommandState> = new Set([
  'confirmed',
  'failed',
  'expired',
  'superseded',
  'cancelled',
  'unknown',
])

/** Tolerance within which a later reading confirms a commanded opening, percentage points (protocols.md 4.2). */
export const OPENING_TOLERANCE_PCT = 3

/** One command to one valve, with how far it came. */
export const command = z.object({
  /** ULID; also the id on the wire. */
  id: z.string(),
  batchId: z.string(),
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  nestaddr: z.string(),
  openingPct: z.number(),
  /** Opening when the command was given, if it was known. */
  previousPct: z.number().optional(),
  state: commandState,
  /** Device's code when it failed (protocols.md 4.2), 0 otherwise. */
  resultCode: z.number().int(),
  /** Account of who gave it. */
  actor: z.string(),
  reason: z.string(),
  createdAt: z.number().int(),
  updatedAt: z.number().int(),
  expiresAt: z.number().int(),
  /** Instants (Unix ms) at which each state was reached. */
  reached: z.partialRecord(commandState, z.number().int()),
})
export type Command = z.infer<typeof command>
