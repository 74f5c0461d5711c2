import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { findShortfall } from './shortfall.ts'

/** Warns if a draft needs more flow than the pump delivers, with the delivered share. */
export function ShortfallNote({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const share = campaign.state === 'draft' ? findShortfall(campaign) : undefined
  if (share === undefined) return null
  const percent = format.number(share * 100, 0)
  return (
    <Alert
      type="warning"
      showIcon
      title={t('campaign.shortfall', { percent })}
      data-testid="campaign-shortfall"
    />
  )
}
