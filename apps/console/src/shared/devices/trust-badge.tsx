import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  DisconnectOutlined,
  MinusCircleOutlined,
  QuestionCircleOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { DeviceState } from '@isotherm/contract/devices'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { Badge, type BadgeLooks } from '../ui/badge.tsx'
import { qualityFlags } from '../ui/quality-flags.ts'
import type { Trust } from './device-trust.ts'

const looks: BadgeLooks<Trust> = {
  live: { tone: 'good', icon: <CheckCircleOutlined /> },
  stale: { tone: 'caution', icon: <ClockCircleOutlined /> },
  doubtful: { tone: 'alarm', icon: <WarningOutlined /> },
  silent: { tone: 'alarm', icon: <DisconnectOutlined /> },
  unknown: { tone: 'muted', icon: <QuestionCircleOutlined /> },
  never: { tone: 'muted', icon: <MinusCircleOutlined /> },
}

interface TrustBadgeProps {
  readonly trust: Trust
  readonly state: DeviceState | undefined
}

/**
 * The trust in a row, as icon, colour and text. A doubtful value shows its first quality flag. The tooltip shows the
 * last report, the meaning of an absence and all flags.
 */
export function TrustBadge({ trust, state }: TrustBadgeProps) {
  const { t } = useTranslation('common')
  const format = useFormat()
  const reasons = qualityFlags(state?.quality ?? 0).map((flag) => t(`quality.${flag}`))
  const meaning = trust === 'silent' || trust === 'unknown' ? [t(`device.absence.${trust}`)] : []
  const lastReport =
    state && trust !== 'live' ? [t('device.absence.lastReport', { instant: format.instant(state.ts) })] : []
  const flag = trust === 'doubtful' ? reasons[0] : undefined
  return (
    <Badge {...looks[trust]} title={[...meaning, ...lastReport, ...reasons].join(' · ')}>
      {flag ?? t(`device.trust.${trust}`)}
    </Badge>
  )
}
