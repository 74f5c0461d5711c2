/** Query keys of cached balances, campaigns and strategies. Live events invalidate by these keys. */
export const balancingKeys = {
  all: ['balancing'],
  /** Present balance and trends of loops. */
  balances: ['balancing', 'balance'],
  trends: ['balancing', 'trend'],
  campaigns: ['balancing', 'campaigns'],
  lists: ['balancing', 'campaigns', 'list'],
  campaign: (id: number) => ['balancing', 'campaigns', 'one', id],
  strategies: ['balancing', 'strategies'],
  strategyLists: ['balancing', 'strategies', 'list'],
  strategy: (id: number) => ['balancing', 'strategies', 'one', id],
} as const
