import { ExclamationCircleOutlined } from '@ant-design/icons'
import type { MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import { ENOUGH_COVERAGE } from '@isotherm/contract/statistics/reports'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import styles from './statistics.module.css'

/** Number of devices with values and of all devices, with a mark if too few have values. */
export function Coverage({ of: { measured, devices } }: { readonly of: MeasuredFigures }) {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const isLow = devices > 0 && measured < ENOUGH_COVERAGE * devices
  return (
    <span className={styles.coverage} title={t('coverageHint', { share: `${ENOUGH_COVERAGE * 100}%` })}>
      {isLow && (
        <Badge tone="caution" icon={<ExclamationCircleOutlined />}>
          {t('low')}
        </Badge>
      )}
      {format.number(measured, 0)} / {format.number(devices, 0)}
    </span>
  )
}
