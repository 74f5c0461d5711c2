import { useQueryClient } from '@tanstack/react-query'
import { useLiveNotifications } from '../../../shared/live/use-live.ts'
import { useRefetchOnReturn } from '../../../shared/live/use-refetch-on-return.ts'
import { balancingKeys } from '../balancing-keys.ts'

/** Refetches cached strategies after live events while the page is open, and all when the connection is back. */
export function useStrategyEvents(): void {
  const client = useQueryClient()
  useRefetchOnReturn(balancingKeys.strategies)
  useLiveNotifications((notification) => {
    if (notification.type !== 'strategy') return
    client.invalidateQueries({ queryKey: balancingKeys.strategy(notification.id) })
    client.invalidateQueries({ queryKey: balancingKeys.strategyLists })
  })
}
