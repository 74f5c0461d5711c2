import { type CommandPriority, commandPriorities } from '@isotherm/contract/command'

/** Hold on a valve: `free`, or the priority of the hold in force. A hold is an override: an opening that stays until an instant. */
export type HoldState = CommandPriority | 'free'

/** An order to a valve, as far as holds matter. */
export interface HoldOrder {
  readonly priority: CommandPriority
  /** Whether the order sets a new hold. */
  readonly holds: boolean
}

/** Effect of an order on the hold of its valve. `ends`: why the current hold ends; undefined without one. */
export type HoldOutcome =
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'accepted'
      readonly next: HoldState
      readonly ends: 'outranked' | 'replaced' | undefined
    }

/** A higher rank outranks a lower one. */
const rankOf = (state: HoldState): number => (state === 'free' ? -1 : commandPriorities.indexOf(state))

/** A hold of a higher priority refuses the order. A hold of the same or a lower priority ends. */
export function resolveHold(current: HoldState, { priority, holds }: HoldOrder): HoldOutcome {
  const [orderRank, currentRank] = [rankOf(priority), rankOf(current)]
  if (orderRank < currentRank) return { kind: 'refused' }
  const ends = current === 'free' ? undefined : orderRank > currentRank ? 'outranked' : 'replaced'
  return { kind: 'accepted', next: holds ? priority : 'free', ends }
}
