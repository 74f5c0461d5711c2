import type { BatchState } from '@isotherm/contract/command'

/** What can happen to a batch; docs/specs/command-batch.md says what each means. */
export const batchEvents = ['pause', 'resume', 'cancel', 'ended'] as const
export type BatchEvent = (typeof batchEvents)[number]

/** The total table: the state an event leads to, undefined where it changes nothing. */
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
