import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  MinusCircleOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import { quality } from '@isotherm/contract/metrics'
import { useTranslation } from 'react-i18next'
import type { Trust } from './valve-row.ts'
import styles from './valves.module.css'

const icons = {
  live: CheckCircleOutlined,
  stale: ClockCircleOutlined,
  doubtful: WarningOutlined,
  silent: MinusCircleOutlined,
} as const satisfies Record<Trust, unknown>

const qualityNames = [
  'stale',
  'sensorFault',
  'outOfRange',
  'implausible',
  'clockCorrected',
  'substituted',
  'maintenance',
] as const satisfies readonly (keyof typeof quality)[]

/** How far a row can be trusted: shape, colour and words, with the quality bits spelled out on hover. */
export function TrustBadge({ trust, bits }: { readonly trust: Trust; readonly bits: number }) {
  const { t } = useTranslation(['valves', 'common'])
  const Icon = icons[trust]
  const reasons = qualityNames.filter((name) => (bits & quality[name]) !== 0)
  const title = reasons.map((name) => t(`quality.${name}`, { ns: 'common' })).join(' · ')
  return (
    <span className={styles.trust} data-trust={trust} title={title}>
      <Icon aria-hidden /> {t(`trust.${trust}`)}
    </span>
  )
}
