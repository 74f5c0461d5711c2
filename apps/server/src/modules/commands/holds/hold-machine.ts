import { type CommandPriority, commandPriorities, type HoldEnd } from '@isotherm/contract/command'

/** Who holds a valve; nobody, or the priority of the hold that stands. */
export type Standing = CommandPriority | 'free'

/** An order to a valve. */
export interface HoldOrder {
  readonly priority: CommandPriority
  /** Whether it is to stand until an instant. */
  readonly holds: boolean
}

/** What an order does to the hold on its valve: `ends` is how the one that stood ends. */
export type HoldOutcome =
  | { readonly kind: 'refused' }
  | { readonly kind: 'taken'; readonly next: Standing; readonly ends: 'outranked' | 'replaced' | undefined }

/** The higher outranks the lower. */
const rankOf = (standing: Standing): number =>
  standing === 'free' ? -1 : commandPriorities.indexOf(standing)

/** What an order meets: refused by a hold of a higher priority, it ends one of its own priority or of a lower one. */
export function meetHold(standing: Standing, { priority, holds }: HoldOrder): HoldOutcome {
  const [order, stands] = [rankOf(priority), rankOf(standing)]
  if (order < stands) return { kind: 'refused' }
  const ends = standing === 'free' ? undefined : order > stands ? 'outranked' : 'replaced'
  return { kind: 'taken', next: holds ? priority : 'free', ends }
}

/** Ends of a hold that no order brings; each leaves its valve free. */
export const otherEnds = ['released', 'expired', 'withdrawn'] as const satisfies readonly HoldEnd[]
