import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance } from '@isotherm/contract/alarms/alarms'
import type { EffectiveRule } from '../rules/rule-book.ts'
import { advance, findOutcome, type Phase, QUIET, type Verdict } from './watch-phase.ts'
import type { Change, Originator, Watch, Watches } from './watches.ts'

/** One evaluation of an alarm kind at an originator. */
export interface Observation {
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly verdict: Verdict
  /** Unix ms. */
  readonly at: number
  /** The rule in force; undefined if there is none. */
  readonly rule: EffectiveRule | undefined
  readonly value?: number | undefined
  readonly balance?: AlarmBalance | undefined
  /** Whether the delay ends by the clock. Otherwise it ends with a later reading. */
  readonly isTimed: boolean
}

export interface ProgressNeeds {
  readonly watches: Watches
  /** Queues a change to be stored. */
  readonly put: (change: Change) => void
}

const isDelay = (phase: Phase): phase is 'raising' | 'clearing' => phase === 'raising' || phase === 'clearing'

function toDueAt({ isTimed, rule }: Observation, phase: Phase, since: number): number | undefined {
  if (!isTimed || !isDelay(phase)) return undefined
  return since + ((phase === 'raising' ? rule?.raiseAfterS : rule?.clearAfterS) ?? 0) * 1000
}

/** Applies one evaluation to its watch. Returns whether the alarm was raised or cleared. */
export function applyVerdict(
  { watches, put }: ProgressNeeds,
  observation: Observation,
): 'raised' | 'cleared' | undefined {
  const { kind, originator, verdict, at, rule, value, balance } = observation
  const watch = watches.find(kind, originator)
  // A late reading changes nothing. Evaluations by the clock come in order, so they count even if the clock was set back.
  if (watch && at < watch.judgedAt && !observation.isTimed) return undefined
  const before = watch ?? QUIET
  const after = advance(before, verdict, at, rule)
  if (after === before && watch) {
    watches.put({ ...watch, judgedAt: at })
    return undefined
  }
  if (after === before) return undefined
  if (after.phase === 'quiet') watches.remove(kind, originator)
  else {
    const { phase, since } = after
    const dueAt = toDueAt(observation, phase, since)
    watches.put({ kind, originator, phase, since, judgedAt: at, dueAt, suppressedBy: watch?.suppressedBy })
  }
  recordDelay(put, observation, before.phase, after)
  const outcome = findOutcome(before.phase, after.phase)
  if (outcome) {
    put({ op: outcome, kind, originator, at, value, balance, severity: rule?.severity, ruleId: rule?.id })
  }
  return outcome
}

function recordDelay(
  put: ProgressNeeds['put'],
  { kind, originator }: Observation,
  before: Phase,
  { phase, since }: { readonly phase: Phase; readonly since: number },
): void {
  if (isDelay(phase)) put({ op: 'delay', kind, originator, phase, since })
  else if (isDelay(before)) put({ op: 'delay', kind, originator, phase: undefined, since })
}

/** Restarts a delay at an instant, which may be in the past. */
export function restart(
  { watches, put }: ProgressNeeds,
  watch: Watch,
  rule: EffectiveRule | undefined,
  at: number,
): void {
  const { kind, originator, phase } = watch
  if (!isDelay(phase)) return
  const dueAt = watch.dueAt === undefined ? undefined : at + (rule?.raiseAfterS ?? 0) * 1000
  watches.put({ ...watch, since: at, dueAt, judgedAt: Math.max(watch.judgedAt, at) })
  put({ op: 'delay', kind, originator, phase, since: at })
}
