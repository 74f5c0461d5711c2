import type { BatchState } from '@isotherm/contract/command'

/** Events of a batch; docs/specs/command-batch.md describes them. */
export const batchEvents = ['pause', 'resume', 'cancel', 'ended'] as const
export type BatchEvent = (typeof batchEvents)[number]

/** The complete transition table: the next state, undefined if the event changes nothing. */
export const batchTransitions: Readonly<
  Record<BatchState, Readonly<Record<BatchEvent, BatchState | undefined>>>
> = {
  running: { pause: 'paused', resume: undefined, cancel: 'cancelled', ended: 'finished' },
  paused: { pause: undefined, resume: 'running', cancel: 'cancelled', ended: 'finished' },
  cancelled: { pause: undefined, resume: undefined, cancel: undefined, ended: undefined },
  finished: { pause: undefined, resume: undefined, cancel: undefined, ended: undefined },
}

/** States in which an event changes something. */
export const statesOpenTo = (event: BatchEvent): readonly BatchState[] =>
  (Object.keys(batchTransitions) as BatchState[]).filter((state) => batchTransitions[state][event])
