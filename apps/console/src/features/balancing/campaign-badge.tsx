import {
  CheckCircleOutlined,
  EditOutlined,
  HourglassOutlined,
  PauseCircleOutlined,
  RollbackOutlined,
  SafetyCertificateOutlined,
  StopOutlined,
  SyncOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { CampaignState } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../../shared/ui/badge.tsx'

const looks: BadgeLooks<CampaignState> = {
  draft: { tone: 'muted', icon: <EditOutlined /> },
  executing: { tone: 'accent', icon: <SyncOutlined /> },
  paused: { tone: 'caution', icon: <PauseCircleOutlined /> },
  settling: { tone: 'accent', icon: <HourglassOutlined /> },
  verified: { tone: 'good', icon: <SafetyCertificateOutlined /> },
  aborted: { tone: 'alarm', icon: <WarningOutlined /> },
  'rolling-back': { tone: 'caution', icon: <RollbackOutlined /> },
  accepted: { tone: 'good', icon: <CheckCircleOutlined /> },
  'rolled-back': { tone: 'muted', icon: <RollbackOutlined /> },
  discarded: { tone: 'muted', icon: <StopOutlined /> },
}

/** State of a campaign as icon and text. */
export function CampaignBadge({ state }: { readonly state: CampaignState }) {
  const { t } = useTranslation('balancing')
  return (
    <Badge {...looks[state]}>
      <span data-testid={`campaign-state-${state}`}>{t(`campaignState.${state}`)}</span>
    </Badge>
  )
}
