import { z } from 'zod'

/**
 * Target of a command: the opening of a valve, %; the head of a station's pump between supply and return, kPa; or the
 * offset of a station's heating curve for the supply temperature, K.
 */
export const commandKind = z.enum(['valve.set', 'pump.set', 'supply.set'])
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

/** Tolerance within which a later reading confirms a commanded opening, percentage points (docs/specs/command.md). */
export const OPENING_TOLERANCE_PCT = 3

/** Tolerance of a commanded head: a share of it, and at least this many kPa. */
export const HEAD_TOLERANCE = { share: 0.05, kpa: 3 } as const

/** Whether a measured head equals the commanded one within the tolerance, kPa. */
export const isHeadAt = (headKpa: number, requestedKpa: number): boolean =>
  Math.abs(headKpa - requestedKpa) <= Math.max(HEAD_TOLERANCE.kpa, HEAD_TOLERANCE.share * requestedKpa)

/** Tolerance of a commanded offset of the heating curve, K: controllers store it in steps of half a kelvin or finer. */
export const OFFSET_TOLERANCE_K = 0.25

/** Priorities, lowest first. A command of a higher priority overrides a hold of a lower one (docs/specs/hold.md). */
export const commandPriorities = ['balancing', 'schedule', 'manual', 'emergency'] as const
export const commandPriority = z.enum(commandPriorities)
export type CommandPriority = z.infer<typeof commandPriority>

/** Range of head setpoints of a station's pump, kPa. */
export const headKpa = z.number().min(5).max(1_000)

/** Range of offsets of a station's heating curve, K. */
export const offsetK = z.number().min(-30).max(30)

/** A command to one device, with its progress. */
export const command = z.object({
  /** ULID; also the id in the MQTT message. */
  id: z.string(),
  batchId: z.string(),
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  nestaddr: z.string(),
  kind: commandKind,
  /** Valve: target opening, and the opening when the command was created, if known. */
  openingPct: z.number().optional(),
  previousPct: z.number().optional(),
  /** Pump: target head, and the head when the command was created, if known. */
  headKpa: z.number().optional(),
  previousKpa: z.number().optional(),
  /** Supply temperature: target offset of the heating curve, and the offset when the command was created, if known. */
  offsetK: z.number().optional(),
  previousK: z.number().optional(),
  state: commandState,
  /** Error code of the device (docs/reference/mqtt.md, up/reply); 0 if it did not fail. */
  resultCode: z.number().int(),
  priority: commandPriority,
  /** Account that created it. */
  actor: z.string(),
  reason: z.string(),
  createdAt: z.number().int(),
  updatedAt: z.number().int(),
  expiresAt: z.number().int(),
  /** Instants (Unix ms) at which each state was reached. */
  reached: z.partialRecord(commandState, z.number().int()),
})
export type Command = z.infer<typeof command>

/** Maximum number of commands of one call. */
export const MAX_TARGETS = 10_000

/** States of a batch of commands, in docs/specs/command-batch.md with the total table of its transitions. */
export const batchState = z.enum(['running', 'paused', 'cancelled', 'finished'])
export type BatchState = z.infer<typeof batchState>

/** What the caller can do with a batch in its present state. */
export const batchAbility = z.enum(['pause', 'resume', 'cancel', 'retry'])

/** Progress of a batch: its commands by state. */
export const batchProgress = z.object({
  /** ULID. */
  id: z.string(),
  state: batchState,
  /** Number of commands. */
  total: z.number().int().nonnegative(),
  /** Number of commands by state, without empty states. */
  counts: z.partialRecord(commandState, z.number().int().positive()),
})
export type BatchProgress = z.infer<typeof batchProgress>

/** Commands created together. Only commands to devices that the caller can see are counted. */
export const commandBatch = batchProgress.extend({
  priority: commandPriority,
  /** Account that created it. */
  actor: z.string(),
  reason: z.string(),
  createdAt: z.number().int(),
  /** The batch whose failed commands it retries. */
  retryOf: z.string().optional(),
  abilities: z.array(batchAbility),
})
export type CommandBatch = z.infer<typeof commandBatch>

/**
 * A hold: an opening, head or offset that stays until an instant. Meanwhile commands of a lower priority are refused.
 */
export const valveHold = z.object({
  id: z.number().int().positive(),
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  nestaddr: z.string(),
  priority: commandPriority,
  /** Opening of a valve, head of a pump, or offset of a heating curve. */
  openingPct: z.number().optional(),
  headKpa: z.number().optional(),
  offsetK: z.number().optional(),
  /** Account that set it. */
  actor: z.string(),
  reason: z.string(),
  /** Unix ms. */
  since: z.number().int(),
  until: z.number().int(),
})
export type ValveHold = z.infer<typeof valveHold>

/** Why a hold ended. */
export const holdEnd = z.enum(['outranked', 'replaced', 'released', 'expired', 'withdrawn'])
export type HoldEnd = z.infer<typeof holdEnd>

/** Limits of commands to the valves below a node. An absent limit does not apply. */
export const controlLimits = z.object({
  /** Lowest opening of each valve, %. */
  minOpeningPct: z.number().min(0).max(100).optional(),
  /** Largest change of a valve by one command, percentage points. */
  maxStepPct: z.number().min(1).max(100).optional(),
  /** Lowest mean opening of all valves below, %, so that no pump runs against closed valves. */
  minTotalPct: z.number().min(0).max(100).optional(),
})
export type ControlLimits = z.infer<typeof controlLimits>

/** Limits of the head setpoint of a station's pump, kPa. */
export const pumpLimits = z
  .object({
    minHeadKpa: headKpa,
    maxHeadKpa: headKpa,
    /** Largest change of the head by one command; does not apply to emergencies. */
    maxStepKpa: z.number().min(1).max(1_000),
  })
  .refine(({ minHeadKpa, maxHeadKpa }) => minHeadKpa < maxHeadKpa, { path: ['maxHeadKpa'] })
export type PumpLimits = z.infer<typeof pumpLimits>

/** Default limits: the usual range of pumps in secondary networks, and half of a usual head per command. */
export const USUAL_PUMP_LIMITS: PumpLimits = { minHeadKpa: 30, maxHeadKpa: 350, maxStepKpa: 80 }

/** Limits of the offset of a station's heating curve, K. */
export const supplyLimits = z
  .object({
    minOffsetK: offsetK,
    maxOffsetK: offsetK,
    /** Largest change of the offset by one command; does not apply to emergencies. */
    maxStepK: z.number().min(0.5).max(30),
  })
  .refine(({ minOffsetK, maxOffsetK }) => minOffsetK < maxOffsetK, { path: ['maxOffsetK'] })
export type SupplyLimits = z.infer<typeof supplyLimits>

/** Default limits: rooms follow half of an offset, so these change them by 4 K at most, and by 1.5 K per command. */
export const USUAL_SUPPLY_LIMITS: SupplyLimits = { minOffsetK: -8, maxOffsetK: 8, maxStepK: 3 }
