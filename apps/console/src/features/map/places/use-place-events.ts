import { useQueryClient } from '@tanstack/react-query'
import { useAskOnReturn } from '../../../shared/live/use-ask-on-return.ts'
import { useLiveNews } from '../../../shared/live/use-live.ts'
import { mapKeys } from './place-queries.ts'

/** What is on show is asked for anew when somebody places a node, moves it or takes it off the map. */
export function usePlaceNews(): void {
  const client = useQueryClient()
  useAskOnReturn(mapKeys.places)
  useLiveNews((news) => {
    if (news.type === 'places') void client.invalidateQueries({ queryKey: mapKeys.places })
  })
}
