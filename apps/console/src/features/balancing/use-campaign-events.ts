import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useQueryClient } from '@tanstack/react-query'
import { useLiveNotifications } from '../../shared/live/use-live.ts'
import { useRefetchOnReturn } from '../../shared/live/use-refetch-on-return.ts'
import { balancingKeys } from './balancing-keys.ts'

/**
 * Keeps the cached campaigns current while the page is open. What a campaign is told of in notification is put in at once, the
 * rest is asked for; and so is everything when the connection is back, for what happened meanwhile was not said.
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
