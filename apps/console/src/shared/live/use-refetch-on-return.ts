import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLiveStatus } from './use-live.ts'

/**
 * Refetches the data under a key when the page starts to receive live events: when it opens, when its tab comes to the
 * front and when the connection is back. Events in between were missed. The key must be stable between renders.
 */
export function useRefetchOnReturn(queryKey: QueryKey): void {
  const client = useQueryClient()
  const isConnected = useLiveStatus().phase === 'connected'
  useEffect(() => {
    if (isConnected) client.invalidateQueries({ queryKey })
  }, [isConnected, client, queryKey])
}
