import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'

/** The coming runs of two days, with what differs from the program. */
export function Timeline({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  if (source.next.length === 0) return null
  return (
    <section>
      <h3>{t('timeline')}</h3>
      <ol className={styles.timeline} data-testid="irrigation-timeline">
        {source.next.map((run) => (
          <li key={`${run.programId} ${run.dueMs}`}>
            <span>{format.moment(run.startMs, source.timeZone)}</span>
            <span>
              <strong>{text.programName(source, run.programId)}</strong>{' '}
              {[...new Set(run.steps.map(({ groupId }) => groupId))]
                .map((id) => text.groupName(source, id))
                .join(' → ')}
            </span>
            <span>{run.steps.length > 0 ? text.volume(run.volumeM3) : '–'}</span>
            {run.conflicts.length > 0 && (
              <small className={styles.alarm}>
                {run.conflicts.map((conflict) => text.conflict(source, conflict)).join(' · ')}
              </small>
            )}
          </li>
        ))}
      </ol>
      <p className={styles.hint}>{t('timelineHint')}</p>
    </section>
  )
}
