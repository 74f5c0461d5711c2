import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLiveNews, useLiveStatus } from '../../shared/live/use-live.ts'
import { mapKeys } from './queries.ts'

/**
 * What is on show is asked for anew when somebody places a node, moves it or takes it off the map; and when a connection
 * that was missing is there, for what happened before was not said.
 */
export function usePlaceNews(): void {
  const client = useQueryClient()
  const isConnected = useLiveStatus().phase === 'connected'
  const wasMissing = useRef(false)
  useEffect(() => {
    if (isConnected && wasMissing.current)
      void client.invalidateQueries({ queryKey: mapKeys.places }, { cancelRefetch: false })
    wasMissing.current = !isConnected
  }, [isConnected, client])
  useLiveNews((news) => {
    if (news.type === 'places') void client.invalidateQueries({ queryKey: mapKeys.places })
  })
}
