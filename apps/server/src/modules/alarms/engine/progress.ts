import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance } from '@isotherm/contract/alarms/alarms'
import type { HeldRule } from '../rules/rule-book.ts'
import { advance, findOutcome, type Phase, QUIET, type Verdict } from './watch-phase.ts'
import type { Change, Originator, Watch, Watches } from './watches.ts'

/** One look at a kind of alarm at an originator. */
export interface Look {
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly verdict: Verdict
  /** Unix ms. */
  readonly at: number
  /** The rule it was judged by; absent when none is in force. */
  readonly rule: HeldRule | undefined
  readonly value?: number | undefined
  readonly balance?: AlarmBalance | undefined
  /** Whether the clock is to look again when the delay is over; a measure waits for its next reading. */
  readonly isTimed: boolean
}

export interface ProgressNeeds {
  readonly watches: Watches
  /** Takes what is to be put down. */
  readonly put: (change: Change) => void
}

const isDelay = (phase: Phase): phase is 'raising' | 'clearing' => phase === 'raising' || phase === 'clearing'

function toDueAt({ isTimed, rule }: Look, phase: Phase, since: number): number | undefined {
  if (!isTimed || !isDelay(phase)) return undefined
  return since + ((phase === 'raising' ? rule?.raiseAfterS : rule?.clearAfterS) ?? 0) * 1000
}

/** Takes a kind of alarm on by one look, and says what came of it. */
export function takeLook({ watches, put }: ProgressNeeds, look: Look): 'raised' | 'cleared' | undefined {
  const { kind, originator, verdict, at, rule, value, balance } = look
  const watch = watches.find(kind, originator)
  if (watch && at < watch.judgedAt) return undefined
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
    const dueAt = toDueAt(look, phase, since)
    watches.put({ kind, originator, phase, since, judgedAt: at, dueAt, behind: watch?.behind })
  }
  noteDelay(put, look, before.phase, after)
  const outcome = findOutcome(before.phase, after.phase)
  if (outcome) {
    put({ op: outcome, kind, originator, at, value, balance, severity: rule?.severity, ruleId: rule?.id })
  }
  return outcome
}

function noteDelay(
  put: ProgressNeeds['put'],
  { kind, originator }: Look,
  before: Phase,
  { phase, since }: { readonly phase: Phase; readonly since: number },
): void {
  if (isDelay(phase)) put({ op: 'delay', kind, originator, phase, since })
  else if (isDelay(before)) put({ op: 'delay', kind, originator, phase: undefined, since })
}

/** Lets a delay begin anew at an instant that may have passed. */
export function restart(
  { watches, put }: ProgressNeeds,
  watch: Watch,
  rule: HeldRule | undefined,
  at: number,
): void {
  const { kind, originator, phase } = watch
  if (!isDelay(phase)) return
  const dueAt = watch.dueAt === undefined ? undefined : at + (rule?.raiseAfterS ?? 0) * 1000
  watches.put({ ...watch, since: at, dueAt, judgedAt: Math.max(watch.judgedAt, at) })
  put({ op: 'delay', kind, originator, phase, since: at })
}
