import type { GroupSchedule } from '@isotherm/contract/endpoints/control/group-schedules'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './schedule.module.css'

interface ScheduleFactsProps {
  readonly schedule: GroupSchedule
  readonly onBatch: (batchId: string) => void
}

/** The coming orders as they are saved, and the last one. */
export function ScheduleFacts({ schedule, onBatch }: ScheduleFactsProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { last, next, enabled, actor } = schedule
  const batchId = last?.batchId
  return (
    <>
      {actor !== undefined && <p className={styles.hint}>{t('schedule.actor', { actor })}</p>}
      {last && (
        <div className={styles.line} data-testid="schedule-last">
          <span>
            {t(`schedule.outcome.${last.outcome}`, {
              instant: format.instant(last.at),
              opening: format.metric('valve.opening', last.openingPct),
            })}
          </span>
          {last.leftOut > 0 && <span>{t('schedule.leftOut', { count: last.leftOut })}</span>}
          {batchId !== undefined && (
            <Button type="link" size="small" onClick={() => onBatch(batchId)}>
              {t('schedule.showBatch')}
            </Button>
          )}
        </div>
      )}
      {enabled && next.length > 0 && (
        <ul className={styles.next} aria-label={t('schedule.next')} data-testid="schedule-next">
          {next.map(({ at, openingPct }) => (
            <li key={at}>
              {format.instant(at)} → {format.metric('valve.opening', openingPct)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
