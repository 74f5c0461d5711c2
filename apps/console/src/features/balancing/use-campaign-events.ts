import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useQueryClient } from '@tanstack/react-query'
import { useLiveNotifications } from '../../shared/live/use-live.ts'
import { useRefetchOnReturn } from '../../shared/live/use-refetch-on-return.ts'
import { balancingKeys } from './balancing-keys.ts'

/**
 * Updates cached campaigns while the page is open. Applies the figures of a live event at once and refetches the rest.
 * Refetches all when the connection is back, because events in between were missed.
 */
export function useCampaignEvents(): void {
  const client = useQueryClient()
  useRefetchOnReturn(balancingKeys.campaigns)
  useLiveNotifications((notification) => {
    if (notification.type !== 'campaign') return
    const { id, round, moves, moved } = notification
    const key = balancingKeys.campaign(id)
    const held = client.getQueryData<CampaignDetail>(key)
    if (held?.round === round) client.setQueryData(key, { ...held, moves, moved })
    client.invalidateQueries({ queryKey: key })
    client.invalidateQueries({ queryKey: balancingKeys.lists })
  })
}
