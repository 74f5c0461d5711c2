import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import { useTranslation } from 'react-i18next'
import { SeverityBadge } from '../../../shared/alarms/severity-badge.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { AlarmPlace } from '../parts/alarm-parts.tsx'
import styles from '../parts/alarms.module.css'
import { toDetailText } from './log-detail.ts'

interface LogCardsProps {
  readonly entries: readonly AlarmLogEntry[]
  readonly onOpen: (alarmId: number) => void
}

/** The log as cards, for a phone. */
export function LogCards({ entries, onOpen }: LogCardsProps) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  return (
    <ul className={styles.cards} aria-label={t('log.label')}>
      {entries.map((entry) => {
        const { id, at, event, kind, severity, account, alarmId } = entry
        const detail = toDetailText(entry, format)
        return (
          <li key={id} className={styles.card}>
            <button type="button" className={`bare ${styles.cardBody}`} onClick={() => onOpen(alarmId)}>
              <span className={styles.cardTitle}>
                <strong>{t(`event.${event}`)}</strong>
                <span className="age">{format.instant(at)}</span>
              </span>
              <span className={styles.name}>
                {t(`kind.${kind}`)} <SeverityBadge severity={severity} />
              </span>
              <AlarmPlace {...entry} />
              <small>{[account || t('log.system'), detail].filter(Boolean).join(' · ')}</small>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
