import type { AlarmSettings } from '@isotherm/contract/alarms/alarm-kinds'

/** Result of a measure under a rule: bad (beyond raiseAt), good (past clearAt), between the two, or void (no rule in force). */
export const verdicts = ['bad', 'between', 'good', 'void'] as const
export type Verdict = (typeof verdicts)[number]

/** Phase of an alarm kind at its originator; docs/specs/alarm.md. */
export const phases = ['quiet', 'raising', 'raised', 'clearing'] as const
export type Phase = (typeof phases)[number]

/** Next phase after a verdict, while the delay runs and once it is over. */
export interface Step {
  readonly early: Phase
  readonly due: Phase
}

const to = (phase: Phase): Step => ({ early: phase, due: phase })

/** The complete transition table of phases and verdicts. */
export const steps: Readonly<Record<Phase, Readonly<Record<Verdict, Step>>>> = {
  quiet: {
    bad: { early: 'raising', due: 'raised' },
    between: to('quiet'),
    good: to('quiet'),
    void: to('quiet'),
  },
  raising: {
    bad: { early: 'raising', due: 'raised' },
    between: to('quiet'),
    good: to('quiet'),
    void: to('quiet'),
  },
  raised: {
    bad: to('raised'),
    between: to('raised'),
    good: { early: 'clearing', due: 'quiet' },
    void: to('quiet'),
  },
  clearing: {
    bad: to('raised'),
    between: to('raised'),
    good: { early: 'clearing', due: 'quiet' },
    void: to('quiet'),
  },
}

export type Limits = Pick<AlarmSettings, 'raiseAt' | 'clearAt' | 'raiseAfterS' | 'clearAfterS'>

/** Compares a measure with the limits. A source without thresholds measures 0 or 1. */
export function judge(
  value: number,
  { raiseAt, clearAt }: Pick<Limits, 'raiseAt' | 'clearAt'>,
  when: 'above' | 'below',
): Verdict {
  const sign = when === 'above' ? 1 : -1
  const raise = raiseAt ?? 0.5
  if (sign * (value - raise) > 0) return 'bad'
  return sign * (value - (clearAt ?? raise)) <= 0 ? 'good' : 'between'
}

/** A phase and its start, Unix ms. */
export interface Progress {
  readonly phase: Phase
  readonly since: number
}

export const QUIET: Progress = { phase: 'quiet', since: 0 }

const isRaisedSide = (phase: Phase): boolean => phase === 'raised' || phase === 'clearing'

/**
 * The progress after a verdict at an instant. A delay runs from the first to the latest verdict of its kind, so a pause in
 * the measurements does not raise an alarm.
 */
export function advance(
  before: Progress,
  verdict: Verdict,
  at: number,
  limits: Limits | undefined,
): Progress {
  const step = steps[before.phase][verdict]
  if (step.early === step.due) return step.due === before.phase ? before : { phase: step.due, since: at }
  const since = step.early === before.phase ? before.since : at
  const delayMs = ((verdict === 'bad' ? limits?.raiseAfterS : limits?.clearAfterS) ?? 0) * 1000
  if (at - since >= delayMs) return { phase: step.due, since: at }
  return step.early === before.phase ? before : { phase: step.early, since }
}

/** Whether an alarm was raised or cleared between two phases. */
export function findOutcome(before: Phase, after: Phase): 'raised' | 'cleared' | undefined {
  if (isRaisedSide(before) === isRaisedSide(after)) return undefined
  return isRaisedSide(after) ? 'raised' : 'cleared'
}
