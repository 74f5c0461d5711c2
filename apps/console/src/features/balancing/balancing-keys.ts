/** Keys under which balances, campaigns and strategies are cached, so that notification finds all that shows what it is of. */
export const balancingKeys = {
  all: ['balancing'],
  /** The balance of loops now, and over time. */
  balances: ['balancing', 'balance'],
  trends: ['balancing', 'trend'],
  campaigns: ['balancing', 'campaigns'],
  lists: ['balancing', 'campaigns', 'list'],
  campaign: (id: number) => ['balancing', 'campaigns', 'one', id],
  strategies: ['balancing', 'strategies'],
  strategyLists: ['balancing', 'strategies', 'list'],
  strategy: (id: number) => ['balancing', 'strategies', 'one', id],
} as const
