import { z } from 'zod'

/** The quantity that balancing equalises. Each kind has a page of its own. */
export const balanceKind = z.enum(['temperature', 'sequence', 'energy', 'flow'])
export type BalanceKind = z.infer<typeof balanceKind>

/** Page permission for managing a kind of balancing. */
export const balancePermissions = {
  temperature: 'pe-egmonitor',
  sequence: 'pe-sxmonitor',
  energy: 'pe-enmonitor',
  flow: 'pe-flowmonitor',
} as const satisfies Record<BalanceKind, string>
