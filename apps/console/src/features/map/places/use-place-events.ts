import { useQueryClient } from '@tanstack/react-query'
import { useLiveNotifications } from '../../../shared/live/use-live.ts'
import { useRefetchOnReturn } from '../../../shared/live/use-refetch-on-return.ts'
import { mapKeys } from './place-queries.ts'

/** Refetches the map when a user places, moves or removes a node. */
export function usePlaceEvents(): void {
  const client = useQueryClient()
  useRefetchOnReturn(mapKeys.places)
  useLiveNotifications((notification) => {
    if (notification.type === 'places') void client.invalidateQueries({ queryKey: mapKeys.places })
  })
}
