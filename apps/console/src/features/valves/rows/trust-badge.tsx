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
import { useFormat } from '../../../shared/format/use-format.ts'
import { qualityFlags } from '../../../shared/ui/quality-flags.ts'
import { Badge, type BadgeLooks } from '../../../shared/ui/trust-badge.tsx'
import type { Trust } from './valve-row.ts'

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
 * How far a row can be trusted: shape, colour and words. A doubtful value says by which quality bit; since when a
 * device was not heard, what that means and the other bits are told on hover.
 */
export function TrustBadge({ trust, state }: TrustBadgeProps) {
  const { t } = useTranslation(['valves', 'common'])
  const format = useFormat()
  const reasons = qualityFlags(state?.quality ?? 0).map((flag) => t(`quality.${flag}`, { ns: 'common' }))
  const meaning = trust === 'silent' || trust === 'unknown' ? [t(`absence.${trust}`)] : []
  const heard = state && trust !== 'live' ? [t('absence.heard', { instant: format.instant(state.ts) })] : []
  const word = trust === 'doubtful' ? reasons[0] : undefined
  return (
    <Badge {...looks[trust]} title={[...meaning, ...heard, ...reasons].join(' · ')}>
      {word ?? t(`trust.${trust}`)}
    </Badge>
  )
}
