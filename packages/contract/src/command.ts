import { z } from 'zod'

/** What a command asks: an opening of a valve, %, or a head of a station's pump, kPa between its supply and its return. */
export const commandKind = z.enum(['valve.set', 'pump.set'])
export type CommandKind = z.infer<typeof commandKind>

/** States of a command, in docs/specs/command.md with the total table of its transitions. */
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

/** The same of a commanded head: the share of it, and for a small one kPa. */
export const HEAD_TOLERANCE = { share: 0.05, kpa: 3 } as const

/** Whether a head, kPa, is what was asked for as far as sensors and a controller tell. */
export const isHeadAt = (headKpa: number, askedKpa: number): boolean =>
  Math.abs(headKpa - askedKpa) <= Math.max(HEAD_TOLERANCE.kpa, HEAD_TOLERANCE.share * askedKpa)

/** Who may overrule whom, the lowest first: a higher priority outranks a hold of a lower one (docs/specs/hold.md). */
export const commandPriorities = ['balancing', 'schedule', 'manual', 'emergency'] as const
export const commandPriority = z.enum(commandPriorities)
export type CommandPriority = z.infer<typeof commandPriority>

/** Heads that a station's pump may be told at all, kPa. */
export const headKpa = z.number().min(5).max(1_000)

/** One command to one device, with how far it came. */
export const command = z.object({
  /** ULID; also the id on the wire. */
  id: z.string(),
  batchId: z.string(),
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  nestaddr: z.string(),
  kind: commandKind,
  /** Of a valve: what was asked, and its opening when the command was given, if it was known. */
  openingPct: z.number().optional(),
  previousPct: z.number().optional(),
  /** The same of a pump. */
  headKpa: z.number().optional(),
  previousKpa: z.number().optional(),
  state: commandState,
  /** Device's code when it failed (protocols.md 4.2), 0 otherwise. */
  resultCode: z.number().int(),
  priority: commandPriority,
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

/** Commands that one call may give. */
export const MOST_TARGETS = 10_000

/** States of a batch of commands, in docs/specs/command-batch.md with the total table of its transitions. */
export const batchState = z.enum(['running', 'paused', 'cancelled', 'finished'])
export type BatchState = z.infer<typeof batchState>

/** What the caller may do with a batch now. */
export const batchAbility = z.enum(['pause', 'resume', 'cancel', 'retry'])

/** How far a batch is: its commands by state. */
export const batchProgress = z.object({
  /** ULID. */
  id: z.string(),
  state: batchState,
  /** Commands there are. */
  total: z.number().int().nonnegative(),
  /** How many of them are in each state that any is in. */
  counts: z.partialRecord(commandState, z.number().int().positive()),
})
export type BatchProgress = z.infer<typeof batchProgress>

/** Commands given together; counted are those to devices of the caller's part of the tree. */
export const commandBatch = batchProgress.extend({
  priority: commandPriority,
  /** Account of who gave it. */
  actor: z.string(),
  reason: z.string(),
  createdAt: z.number().int(),
  /** The batch whose failed commands it gives again. */
  retryOf: z.string().optional(),
  abilities: z.array(batchAbility),
})
export type CommandBatch = z.infer<typeof commandBatch>

/** What stands until an instant, an opening or a head: orders of a lower priority are refused meanwhile. */
export const valveHold = z.object({
  id: z.number().int().positive(),
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  nestaddr: z.string(),
  priority: commandPriority,
  /** Of a valve, or of a pump. */
  openingPct: z.number().optional(),
  headKpa: z.number().optional(),
  /** Account of who holds it. */
  actor: z.string(),
  reason: z.string(),
  /** Unix ms. */
  since: z.number().int(),
  until: z.number().int(),
})
export type ValveHold = z.infer<typeof valveHold>

/** How a hold ended. */
export const holdEnd = z.enum(['outranked', 'replaced', 'released', 'expired', 'withdrawn'])
export type HoldEnd = z.infer<typeof holdEnd>

/** What the valves below a node may be asked to do. What is absent is not limited there. */
export const controlLimits = z.object({
  /** Lowest opening of each valve, %. */
  minOpeningPct: z.number().min(0).max(100).optional(),
  /** Farthest that one command may turn a valve, percentage points. */
  maxStepPct: z.number().min(1).max(100).optional(),
  /** Lowest mean opening of all valves below together, %, so that no pump runs against closed valves. */
  minTotalPct: z.number().min(0).max(100).optional(),
})
export type ControlLimits = z.infer<typeof controlLimits>

/** What the pump of a station may be told, kPa. */
export const pumpLimits = z
  .object({
    minHeadKpa: headKpa,
    maxHeadKpa: headKpa,
    /** Farthest that one command may move the head; not for an emergency. */
    maxStepKpa: z.number().min(1).max(1_000),
  })
  .refine(({ minHeadKpa, maxHeadKpa }) => minHeadKpa < maxHeadKpa, { path: ['maxHeadKpa'] })
export type PumpLimits = z.infer<typeof pumpLimits>

/** Where nobody set any: what pumps of secondary networks give, and half of a usual head at once. */
export const USUAL_PUMP_LIMITS: PumpLimits = { minHeadKpa: 30, maxHeadKpa: 350, maxStepKpa: 80 }
