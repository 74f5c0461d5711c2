import { useQueryClient } from '@tanstack/react-query'
import { useAskOnReturn } from '../../../shared/live/use-ask-on-return.ts'
import { useLiveNews } from '../../../shared/live/use-live.ts'
import { balancingKeys } from '../balancing-keys.ts'

/** Keeps the cached strategies current while the page is open; all of them when the connection is back. */
export function useStrategyNews(): void {
  const client = useQueryClient()
  useAskOnReturn(balancingKeys.strategies)
  useLiveNews((news) => {
    if (news.type !== 'strategy') return
    client.invalidateQueries({ queryKey: balancingKeys.strategy(news.id) })
    client.invalidateQueries({ queryKey: balancingKeys.strategyLists })
  })
}
