import { z } from 'zod'

/** What a balance makes equal; each kind is managed on a page of its own. */
export const balanceKind = z.enum(['temperature', 'sequence', 'energy', 'flow'])
export type BalanceKind = z.infer<typeof balanceKind>

/** Page permission by which a kind of balance is managed. */
export const balancePermissions = {
  temperature: 'pe-egmonitor',
  sequence: 'pe-sxmonitor',
  energy: 'pe-enmonitor',
  flow: 'pe-flowmonitor',
} as const satisfies Record<BalanceKind, string>
