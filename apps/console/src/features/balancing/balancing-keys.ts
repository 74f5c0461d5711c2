/** Keys under which balances and campaigns are cached, so that news of a campaign finds all that shows it. */
export const balancingKeys = {
  all: ['balancing'],
  /** The balance of loops now, and over time. */
  balances: ['balancing', 'balance'],
  trends: ['balancing', 'trend'],
  campaigns: ['balancing', 'campaigns'],
  lists: ['balancing', 'campaigns', 'list'],
  campaign: (id: number) => ['balancing', 'campaigns', 'one', id],
} as const
