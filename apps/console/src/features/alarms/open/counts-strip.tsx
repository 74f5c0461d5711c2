import type { AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmCounts } from '@isotherm/contract/alarms/alarms'
import { useTranslation } from 'react-i18next'
import { SeverityBadge } from '../../../shared/alarms/severity-badge.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from '../parts/alarms.module.css'

interface CountsStripProps {
  readonly counts: AlarmCounts | undefined
  readonly chosen: readonly AlarmSeverity[]
  readonly onChoose: (severities: readonly AlarmSeverity[]) => void
}

/** Open alarms by severity. Each figure is a filter button. */
export function CountsStrip({ counts, chosen, onChoose }: CountsStripProps) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  return (
    <fieldset className={styles.counts} aria-label={t('counts.label')}>
      {counts?.bySeverity.map(({ severity, total, unacknowledged }) => {
        const isChosen = chosen.includes(severity)
        return (
          <button
            key={severity}
            type="button"
            className={`tile ${styles.count}`}
            aria-pressed={isChosen}
            data-severity={severity}
            data-testid={`count-${severity}`}
            onClick={() =>
              onChoose(isChosen ? chosen.filter((each) => each !== severity) : [...chosen, severity])
            }
          >
            <SeverityBadge severity={severity} />
            <strong className="num">{format.number(total, 0)}</strong>
            <small>
              {total === 0
                ? t('counts.none')
                : unacknowledged === 0
                  ? t('counts.allKnown')
                  : t('counts.unacknowledged', { count: unacknowledged })}
            </small>
          </button>
        )
      })}
    </fieldset>
  )
}
