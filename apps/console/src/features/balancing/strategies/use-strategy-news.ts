import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLiveNews, useLiveStatus } from '../../../shared/live/use-live.ts'
import { balancingKeys } from '../balancing-keys.ts'

/** Keeps the cached strategies current while the page is open; all of them when the connection is back. */
export function useStrategyNews(): void {
  const client = useQueryClient()
  const isConnected = useLiveStatus().phase === 'connected'
  useEffect(() => {
    if (isConnected) client.invalidateQueries({ queryKey: balancingKeys.strategies })
  }, [isConnected, client])
  useLiveNews((news) => {
    if (news.type !== 'strategy') return
    client.invalidateQueries({ queryKey: balancingKeys.strategy(news.id) })
    client.invalidateQueries({ queryKey: balancingKeys.strategyLists })
  })
}
