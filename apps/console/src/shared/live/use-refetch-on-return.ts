import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLiveStatus } from './use-live.ts'

/**
 * Asks for what is cached under a key whenever the page begins to listen: when it opens, when its tab comes to the
 * front again and when the connection is back. What happened while nobody listened was not said. The key stays the
 * same from render to render.
 */
export function useRefetchOnReturn(queryKey: QueryKey): void {
  const client = useQueryClient()
  const isConnected = useLiveStatus().phase === 'connected'
  useEffect(() => {
    if (isConnected) client.invalidateQueries({ queryKey })
  }, [isConnected, client, queryKey])
}
