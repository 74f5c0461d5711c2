import { ExclamationCircleFilled, FireFilled, InfoCircleOutlined, WarningFilled } from '@ant-design/icons'
import type { AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../ui/badge.tsx'

const looks: BadgeLooks<AlarmSeverity> = {
  critical: { tone: 'alarm', icon: <FireFilled /> },
  major: { tone: 'alarm', icon: <WarningFilled /> },
  minor: { tone: 'caution', icon: <ExclamationCircleFilled /> },
  warning: { tone: 'muted', icon: <InfoCircleOutlined /> },
}

/** Severity of an alarm as icon and text. */
export function SeverityBadge({ severity }: { readonly severity: AlarmSeverity }) {
  const { t } = useTranslation('common')
  return <Badge {...looks[severity]}>{t(`alarm.severity.${severity}`)}</Badge>
}
