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
import type { CampaignState } from '@isotherm/contract/balancing'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from '../../shared/ui/trust-badge.tsx'

const looks: Readonly<Record<CampaignState, { readonly tone: Tone; readonly Icon: ComponentType }>> = {
  draft: { tone: 'muted', Icon: EditOutlined },
  executing: { tone: 'accent', Icon: SyncOutlined },
  paused: { tone: 'caution', Icon: PauseCircleOutlined },
  settling: { tone: 'accent', Icon: HourglassOutlined },
  verified: { tone: 'good', Icon: SafetyCertificateOutlined },
  aborted: { tone: 'alarm', Icon: WarningOutlined },
  'rolling-back': { tone: 'caution', Icon: RollbackOutlined },
  accepted: { tone: 'good', Icon: CheckCircleOutlined },
  'rolled-back': { tone: 'muted', Icon: RollbackOutlined },
  discarded: { tone: 'muted', Icon: StopOutlined },
}

/** A campaign's state by icon and words. */
export function CampaignBadge({ state }: { readonly state: CampaignState }) {
  const { t } = useTranslation('balancing')
  const { tone, Icon } = looks[state]
  return (
    <Badge tone={tone} icon={<Icon />}>
      <span data-testid={`campaign-state-${state}`}>{t(`campaignState.${state}`)}</span>
    </Badge>
  )
}
