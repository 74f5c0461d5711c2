import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useQueryClient } from '@tanstack/react-query'
import { useAskOnReturn } from '../../shared/live/use-ask-on-return.ts'
import { useLiveNews } from '../../shared/live/use-live.ts'
import { balancingKeys } from './balancing-keys.ts'

/**
 * Keeps the cached campaigns current while the page is open. What a campaign is told of in news is put in at once, the
 * rest is asked for; and so is everything when the connection is back, for what happened meanwhile was not said.
 */
export function useCampaignNews(): void {
  const client = useQueryClient()
  useAskOnReturn(balancingKeys.campaigns)
  useLiveNews((news) => {
    if (news.type !== 'campaign') return
    const { id, round, moves, moved } = news
    const key = balancingKeys.campaign(id)
    const held = client.getQueryData<CampaignDetail>(key)
    if (held?.round === round) client.setQueryData(key, { ...held, moves, moved })
    client.invalidateQueries({ queryKey: key })
    client.invalidateQueries({ queryKey: balancingKeys.lists })
  })
}
