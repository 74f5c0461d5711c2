/** States of a run; docs/specs/irrigation-run.md describes them. */
export const runStates = ['running', 'paused', 'stopping', 'done', 'stopped', 'failed'] as const
export type RunState = (typeof runStates)[number]

/** Events of a run. `ended`: every step is final. `stuck`: a valve was not confirmed closed. `halt`: a protection of the source. */
export const runEvents = ['pause', 'halt', 'resume', 'stop', 'stuck', 'ended'] as const
export type RunEvent = (typeof runEvents)[number]

const final = {
  pause: undefined,
  halt: undefined,
  resume: undefined,
  stop: undefined,
  stuck: undefined,
  ended: undefined,
} as const

/** The complete table: the next state, undefined if the event changes nothing. */
export const runTransitions: Readonly<Record<RunState, Readonly<Record<RunEvent, RunState | undefined>>>> = {
  running: {
    pause: 'paused',
    halt: 'paused',
    resume: undefined,
    stop: 'stopping',
    stuck: 'failed',
    ended: 'done',
  },
  paused: {
    pause: undefined,
    halt: undefined,
    resume: 'running',
    stop: 'stopping',
    stuck: 'failed',
    ended: 'done',
  },
  stopping: {
    pause: undefined,
    halt: undefined,
    resume: undefined,
    stop: undefined,
    stuck: 'failed',
    ended: 'stopped',
  },
  done: final,
  stopped: final,
  failed: final,
}

/** States of a step: the valves of one group that are opened and closed together. */
export const stepStates = ['pending', 'opening', 'open', 'closing', 'closed', 'skipped', 'stuck'] as const
export type StepState = (typeof stepStates)[number]

/**
 * Events of a step. `open-sent`, `close-sent`: commands are stored. `opened`, `closed`: every valve is confirmed. `not-open`: no
 * valve can be opened. `again`: closed, with water time left. `not-closed`: the attempts to close it are used up.
 */
export const stepEvents = [
  'open-sent',
  'opened',
  'not-open',
  'close-sent',
  'closed',
  'again',
  'not-closed',
  'skip',
] as const
export type StepEvent = (typeof stepEvents)[number]

const finalStep = {
  'open-sent': undefined,
  opened: undefined,
  'not-open': undefined,
  'close-sent': undefined,
  closed: undefined,
  again: undefined,
  'not-closed': undefined,
  skip: undefined,
} as const

/** The complete table of a step. Every way from `opening` and `open` to an end leads over `closing`: a valve is never left open. */
export const stepTransitions: Readonly<
  Record<StepState, Readonly<Record<StepEvent, StepState | undefined>>>
> = {
  pending: { ...finalStep, 'open-sent': 'opening', 'not-open': 'skipped', skip: 'skipped' },
  opening: { ...finalStep, opened: 'open', 'close-sent': 'closing' },
  open: { ...finalStep, 'close-sent': 'closing' },
  closing: {
    ...finalStep,
    'close-sent': 'closing',
    closed: 'closed',
    again: 'pending',
    'not-closed': 'stuck',
  },
  closed: finalStep,
  skipped: finalStep,
  // It is closed after all, by hand or later.
  stuck: { ...finalStep, 'close-sent': 'closing', closed: 'closed' },
}

/** Whether water may flow through the valves of a step. */
export const mayFlow = (state: StepState): boolean =>
  state === 'opening' || state === 'open' || state === 'closing' || state === 'stuck'

export const isStepOver = (state: StepState): boolean =>
  state === 'closed' || state === 'skipped' || state === 'stuck'

export const isRunOver = (state: RunState): boolean =>
  state === 'done' || state === 'stopped' || state === 'failed'
