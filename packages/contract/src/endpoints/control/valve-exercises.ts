import { z } from 'zod'
import { commandState } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refusalReason } from '../../order-preview.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Steps of an exercise, in order: all valves are opened, closed, and set back to where they were. */
export const exerciseSteps = ['open', 'close', 'restore'] as const
export const exerciseStep = z.enum(exerciseSteps)
export type ExerciseStep = z.infer<typeof exerciseStep>

/**
 * `running`: it sends a step when the one before has ended. `cancelling`: the valves are being set back. `stopped`: the server
 * ended it, for a reason.
 */
export const exerciseState = z.enum(['running', 'cancelling', 'finished', 'cancelled', 'stopped'])
export type ExerciseState = z.infer<typeof exerciseState>

/**
 * Why the server ended an exercise early. `season`: the heating season began. `no-access`: its account may no longer control
 * the valves. `none-possible`: no valve accepts the step. `refused`: the step as a whole was refused.
 */
export const exerciseStop = z.enum(['season', 'no-access', 'none-possible', 'refused'])
export type ExerciseStop = z.infer<typeof exerciseStop>

/**
 * Result of one valve. `moved`: its position was confirmed open and closed. `stuck`: it answered, and a position was not
 * confirmed, or it refused. `no-answer`: it did not answer. `interrupted`: another command replaced a step. `left-out`: it was
 * held, limited, out of use or one of irrigation. `pending`: not known yet.
 */
export const exerciseOutcome = z.enum(['pending', 'moved', 'stuck', 'no-answer', 'interrupted', 'left-out'])
export type ExerciseOutcome = z.infer<typeof exerciseOutcome>

/** Why a valve is left out: it is one of irrigation, or a command would be refused. */
export const exerciseLeftOut = z.enum(['irrigation', ...refusalReason.exclude(['not-a-valve']).options])
export type ExerciseLeftOut = z.infer<typeof exerciseLeftOut>

/** An exercise of valves: they move through their whole range once, so that they do not seize in summer. */
export const valveExercise = z.object({
  id: z.number().int().positive(),
  state: exerciseState,
  step: exerciseStep,
  stop: exerciseStop.optional(),
  actor: z.string(),
  reason: z.string(),
  createdAt: instant,
  endedAt: instant.optional(),
  /** Visible valves by their result. */
  counts: z.partialRecord(exerciseOutcome, z.number().int().positive()),
  total: z.number().int().nonnegative(),
  abilities: z.array(z.enum(['cancel'])),
})
export type ValveExercise = z.infer<typeof valveExercise>

/** One valve in the report of an exercise. */
export const exerciseValve = z.object({
  deviceId: z.number().int().positive(),
  name: z.string(),
  imei: z.string(),
  nestaddr: z.string(),
  outcome: exerciseOutcome,
  leftOut: exerciseLeftOut.optional(),
  /** Measured opening before, %. */
  beforePct: z.number().optional(),
  /** Each step that was sent: the requested opening, the state of its command, and since when. */
  steps: z.partialRecord(
    exerciseStep,
    z.object({ openingPct: z.number(), state: commandState, at: instant }),
  ),
})
export type ExerciseValve = z.infer<typeof exerciseValve>

const common = { backend: 'ht-api', method: 'POST', access: requiresPermission('pe-fmcontrol') } as const
const nodes = z.array(refersTo('node', nodeKey)).max(2_000)
const id = refersTo('valve-exercise', z.number().int().positive())

export const previewValveExercise = defineEndpoint({
  ...common,
  path: '/CtlDev/PreviewValveExercise',
  summary:
    'What an exercise of the valves below nodes would do now: how many it would move, and which it leaves out.',
  effect: 'reads',
  input: z.object({ nodes }),
  output: z.object({
    valves: z.number().int().nonnegative(),
    leftOut: z.partialRecord(exerciseLeftOut, z.number().int().positive()),
    /** Heating season of the installation, which is no time for an exercise: first and last day, as MM-DD. */
    season: z.object({ first: z.string(), last: z.string(), isNow: z.boolean() }),
  }),
  errors: ['node.not-found', 'exercise.too-many'],
})

export const addValveExercise = defineEndpoint({
  ...common,
  path: '/CtlDev/AddValveExercise',
  summary:
    'Starts an exercise of the valves below nodes, outside the heating season: open, close, and back, each step confirmed.',
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ nodes, reason: z.string().trim().min(1).max(200) }),
  output: valveExercise,
  errors: [
    'node.not-found',
    'exercise.in-season',
    'exercise.no-valves',
    'exercise.too-many',
    'exercise.running',
  ],
})

export const getValveExercises = defineEndpoint({
  ...common,
  path: '/CtlDev/GetValveExercises',
  summary: 'Exercises with a visible valve, newest first, with the visible valves by their result.',
  effect: 'reads',
  input: z.object({
    /** Only exercises with a valve below one of these nodes. */
    nodes: nodes.default([]),
    limiter,
  }),
  output: pageOf(valveExercise),
  errors: ['node.not-found'],
})

export const getExerciseValves = defineEndpoint({
  ...common,
  path: '/CtlDev/GetExerciseValves',
  summary:
    'Report of an exercise: its visible valves in the order of the tree, with the result and each step.',
  effect: 'reads',
  input: z.object({ id, outcome: exerciseOutcome.optional(), limiter }),
  output: pageOf(exerciseValve),
  errors: ['exercise.not-found'],
})

export const cancelValveExercise = defineEndpoint({
  ...common,
  path: '/CtlDev/CancelValveExercise',
  summary: 'Cancels an exercise: commands that were not sent are withdrawn, and the valves are set back.',
  effect: 'changes',
  input: z.object({ id }),
  output: valveExercise,
  errors: ['exercise.not-found', 'exercise.not-now'],
})

export const valveExercisesEndpoints = {
  previewValveExercise,
  addValveExercise,
  getValveExercises,
  getExerciseValves,
  cancelValveExercise,
} as const
