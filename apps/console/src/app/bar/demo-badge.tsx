import { ExperimentOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { useLiveStatus } from '../../shared/live/use-live.ts'

/** States that the data are simulated and how fast the simulated time runs. */
export function DemoBadge(): ReactNode {
  const { t } = useTranslation('common')
  const format = useFormat()
  const { timeFactor } = useLiveStatus()
  if (timeFactor === undefined) return null
  const factor = format.number(timeFactor, Number.isInteger(timeFactor) ? 0 : 1)
  return (
    <Tooltip title={t('navbar.demoHint', { factor })}>
      <span className="demo-badge" data-testid="demo-badge">
        <ExperimentOutlined />
        <span className="demo-badge-text">{t('navbar.demo', { factor })}</span>
      </span>
    </Tooltip>
  )
}
