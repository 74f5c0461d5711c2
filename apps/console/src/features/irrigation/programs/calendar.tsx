import type { IrrigationPlan, IrrigationPlannedRun, IrrigationSource } from '@isotherm/contract/irrigation'
import { DAY_MS, WEEK_MS } from '@isotherm/kernel/durations'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toDayNumber } from '../../../shared/format/zone-days.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { previewQuery } from '../queries.ts'
import { listWeekDays } from './week-days.ts'

interface CalendarProps {
  readonly source: IrrigationSource
  /** A program that is not stored yet. */
  readonly draft?: { readonly programId?: number; readonly plan: IrrigationPlan }
}

function Entry({ source, run }: { readonly source: IrrigationSource; readonly run: IrrigationPlannedRun }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const name = text.programName(source, run.programId) || t('program.add')
  return (
    <div className={styles.entry} data-empty={run.steps.length === 0} data-testid="calendar-run">
      <strong>{name}</strong>
      <span>
        {format.moment(run.startMs, source.timeZone).slice(-5)}–
        {format.moment(run.endMs, source.timeZone).slice(-5)}
      </span>
      <span>
        {text.volume(run.volumeM3)} · {run.adjustPct}%
      </span>
      {run.conflicts.map((conflict) => (
        <span key={JSON.stringify(conflict)} className={styles.alarm}>
          {text.conflict(source, conflict)}
        </span>
      ))}
    </div>
  )
}

/** A week of a source by the scheduler that runs it, with conflicts and the water of each day. */
export function Calendar({ source, draft }: CalendarProps) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const [weeks, setWeeks] = useState(0)
  const [now] = useState(Date.now)
  const days = listWeekDays(now + weeks * WEEK_MS, source.timeZone)
  const from = days[0]?.startMs ?? now
  const query = useQuery({
    ...previewQuery({
      sourceId: source.id,
      from,
      to: (days.at(-1)?.startMs ?? now) + DAY_MS,
      ...(draft && { draft }),
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <section className={styles.stack} data-testid="irrigation-calendar">
      <div className={`${styles.line} ${styles.between}`}>
        <strong>{t('calendar')}</strong>
        <span className={styles.line}>
          <Button size="small" disabled={weeks === 0} onClick={() => setWeeks(weeks - 1)}>
            {t('week.before')}
          </Button>
          <Button size="small" onClick={() => setWeeks(0)}>
            {t('week.now')}
          </Button>
          <Button size="small" data-testid="calendar-after" onClick={() => setWeeks(weeks + 1)}>
            {t('week.after')}
          </Button>
        </span>
      </div>
      <p className={styles.hint}>{t('calendarHint')}</p>
      <Answer query={query}>
        {(preview) => (
          <div className={styles.week}>
            {days.map(({ day, startMs }) => {
              const runs = preview.runs.filter((run) => toDayNumber(run.startMs, source.timeZone) === day)
              const water = preview.days.find((each) => each.day === day)?.volumeM3 ?? 0
              return (
                <div key={day} className={styles.day}>
                  <h4>{format.moment(startMs, source.timeZone).slice(0, -5).replace(/,? *$/, '')}</h4>
                  <small className={styles.hint}>{t('dayWater', { value: format.number(water, 1) })}</small>
                  {runs.length === 0 && <small className={styles.hint}>{t('noRuns')}</small>}
                  {runs.map((run) => (
                    <Entry key={`${run.programId} ${run.dueMs}`} source={source} run={run} />
                  ))}
                </div>
              )
            })}
          </div>
        )}
      </Answer>
    </section>
  )
}
