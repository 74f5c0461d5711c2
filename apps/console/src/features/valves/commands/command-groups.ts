import type { CommandState } from '@isotherm/contract/command'

/** Groups of command states by outcome: under way, confirmed, not successful, cancelled or replaced. */
export const commandGroups = ['open', 'confirmed', 'failed', 'dropped'] as const
export type CommandGroup = (typeof commandGroups)[number]

/** The states of each group, the most advanced first. Each state is in exactly one group. */
export const statesOfGroup: Readonly<Record<CommandGroup, readonly CommandState[]>> = {
  open: ['done', 'accepted', 'delivered', 'sent', 'queued'],
  confirmed: ['confirmed'],
  failed: ['failed', 'unknown', 'expired'],
  dropped: ['superseded', 'cancelled'],
}
