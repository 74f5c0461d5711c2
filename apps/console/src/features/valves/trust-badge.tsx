import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  MinusCircleOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { qualityFlags } from '../../shared/ui/quality-flags.ts'
import { Badge, type Tone } from '../../shared/ui/trust-badge.tsx'
import type { Trust } from './valve-row.ts'

const looks: Readonly<Record<Trust, { readonly tone: Tone; readonly Icon: ComponentType }>> = {
  live: { tone: 'good', Icon: CheckCircleOutlined },
  stale: { tone: 'caution', Icon: ClockCircleOutlined },
  doubtful: { tone: 'alarm', Icon: WarningOutlined },
  silent: { tone: 'muted', Icon: MinusCircleOutlined },
}

/** How far a row can be trusted: shape, colour and words, with the quality bits spelled out on hover. */
export function TrustBadge({ trust, bits }: { readonly trust: Trust; readonly bits: number }) {
  const { t } = useTranslation(['valves', 'common'])
  const { tone, Icon } = looks[trust]
  const reasons = qualityFlags(bits).map((flag) => t(`quality.${flag}`, { ns: 'common' }))
  return (
    <Badge tone={tone} icon={<Icon />} title={reasons.join(' · ')}>
      {t(`trust.${trust}`)}
    </Badge>
  )
}
