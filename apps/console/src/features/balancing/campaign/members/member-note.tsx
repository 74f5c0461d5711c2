import {
  ExclamationCircleOutlined,
  InfoCircleOutlined,
  StopOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../../../shared/ui/badge.tsx'
import styles from './members.module.css'

/**
 * Badges of a valve: why it is excluded, its dead meter, the source of an estimated area, why its target changed, and the
 * verdict on its move.
 */
export function MemberNote({ member }: { readonly member: CampaignMember }) {
  const { t } = useTranslation('balancing')
  const { excluded, meter, areaFrom, limit, verdict } = member
  const isBroken = verdict === 'stuck' || verdict === 'slipping' || verdict === 'inverted'
  return (
    <span className={styles.notes}>
      {excluded !== undefined && (
        <Badge tone={excluded === 'inverted' ? 'alarm' : 'muted'} icon={<StopOutlined />}>
          {t(`campaign.exclusion.${excluded}`)}
        </Badge>
      )}
      {meter !== undefined && (
        <Badge tone="caution" icon={<ExclamationCircleOutlined />}>
          {t(`campaign.meter.${meter}`)}
        </Badge>
      )}
      {areaFrom !== undefined && (
        <Badge tone="muted" icon={<InfoCircleOutlined />}>
          {t(`campaign.areaFrom.${areaFrom}`)}
        </Badge>
      )}
      {limit !== undefined && (
        <Badge tone="caution" icon={<ExclamationCircleOutlined />}>
          {t(`campaign.limit.${limit}`)}
        </Badge>
      )}
      {verdict !== undefined && (
        <Badge
          tone={isBroken ? 'alarm' : verdict === 'accepted' ? 'good' : 'muted'}
          icon={isBroken ? <WarningOutlined /> : <InfoCircleOutlined />}
        >
          {t(`campaign.verdict.${verdict}`)}
        </Badge>
      )}
    </span>
  )
}
