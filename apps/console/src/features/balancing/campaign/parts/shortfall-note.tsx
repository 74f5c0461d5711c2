import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { findShortfall } from './shortfall.ts'

/** Says of a draft that asks for more than the pump gives how much will come; nothing of others. */
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
