import { CalendarOutlined, PauseCircleOutlined } from '@ant-design/icons'
import type { AlarmKind, AlarmSettings } from '@isotherm/contract/alarms/alarm-kinds'
import { useTranslation } from 'react-i18next'
import { SeverityBadge } from '../../../shared/alarms/severity-badge.tsx'
import { Badge } from '../../../shared/ui/badge.tsx'
import styles from '../parts/alarms.module.css'
import items from '../parts/items.module.css'
import { useRuleText } from './use-rule-text.ts'

interface RuleLineProps {
  readonly kind: AlarmKind
  readonly settings: AlarmSettings
}

/** A rule, or the default rule of a kind, as text. */
export function RuleLine({ kind, settings }: RuleLineProps) {
  const { t } = useTranslation('alarms')
  const texts = useRuleText()
  const when = texts.when(settings)
  return (
    <span className={items.rule} data-off={!settings.enabled || undefined}>
      {settings.enabled ? (
        <SeverityBadge severity={settings.severity} />
      ) : (
        <Badge tone="muted" icon={<PauseCircleOutlined />}>
          {t('rules.off')}
        </Badge>
      )}
      <span>{texts.raise(kind, settings)}</span>
      <span className={styles.meta}>{texts.clear(kind, settings)}</span>
      {when !== '' && (
        <Badge tone="muted" icon={<CalendarOutlined />}>
          {when}
        </Badge>
      )}
    </span>
  )
}
