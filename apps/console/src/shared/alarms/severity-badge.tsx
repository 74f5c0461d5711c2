import { ExclamationCircleFilled, FireFilled, InfoCircleOutlined, WarningFilled } from '@ant-design/icons'
import type { AlarmSeverity } from '@isotherm/contract/alarm-kinds'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from '../ui/trust-badge.tsx'

const looks: Readonly<Record<AlarmSeverity, { readonly tone: Tone; readonly Icon: ComponentType }>> = {
  critical: { tone: 'alarm', Icon: FireFilled },
  major: { tone: 'alarm', Icon: WarningFilled },
  minor: { tone: 'caution', Icon: ExclamationCircleFilled },
  warning: { tone: 'muted', Icon: InfoCircleOutlined },
}

/** How bad an alarm is, by icon and words. */
export function SeverityBadge({ severity }: { readonly severity: AlarmSeverity }) {
  const { t } = useTranslation('common')
  const { tone, Icon } = looks[severity]
  return (
    <Badge tone={tone} icon={<Icon />}>
      {t(`alarm.severity.${severity}`)}
    </Badge>
  )
}
