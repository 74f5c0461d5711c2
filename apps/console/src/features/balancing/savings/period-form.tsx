import { type HeatSavingAnswer, MAX_SAVING_DAYS } from '@isotherm/contract/balancing/heat-saving'
import { DAY_MS } from '@isotherm/kernel/durations'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateInput } from '../../../shared/inputs/date-input.tsx'
import styles from './saving.module.css'
import type { SavingPeriods } from './saving-query.ts'

interface PeriodFormProps {
  readonly shown: Pick<HeatSavingAnswer, 'baseline' | 'after' | 'periodsBy'>
  readonly isBusy: boolean
  /** Chosen periods; undefined for the usual ones. */
  readonly onPeriods: (periods: SavingPeriods | undefined) => void
}

const toDays = ({ from, to }: SavingPeriods['baseline']): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

/** The error of two periods; undefined if the server accepts them. */
export function judgePeriods({ baseline, after }: SavingPeriods): 'order' | 'long' | 'overlap' | undefined {
  const lengths = [toDays(baseline), toDays(after)]
  // The length of a period without a date is not a number.
  if (!lengths.every((days) => days >= 1)) return 'order'
  if (lengths.some((days) => days > MAX_SAVING_DAYS)) return 'long'
  return baseline.from <= after.to && after.from <= baseline.to ? 'overlap' : undefined
}

/** Form for the two periods. */
export function PeriodForm({ shown, isBusy, onPeriods }: PeriodFormProps) {
  const { t } = useTranslation('balancing')
  const first: SavingPeriods = {
    baseline: { from: shown.baseline.from, to: shown.baseline.to },
    after: { from: shown.after.from, to: shown.after.to },
  }
  const [draft, setDraft] = useState(first)
  const fault = judgePeriods(draft)
  const field = (period: keyof SavingPeriods, end: 'from' | 'to') => (
    <DateInput
      aria-label={t(`saving.${end}`, { period: t(period === 'baseline' ? 'saving.before' : 'saving.after') })}
      aria-invalid={fault !== undefined}
      data-testid={`saving-${period}-${end}`}
      value={draft[period][end]}
      onValue={(day) => setDraft({ ...draft, [period]: { ...draft[period], [end]: day } })}
    />
  )
  return (
    <form
      className={styles.form}
      data-testid="saving-periods"
      onSubmit={(event) => {
        event.preventDefault()
        if (!fault) onPeriods(draft)
      }}
    >
      <h3 className={styles.heading}>{t('saving.periods')}</h3>
      {(['baseline', 'after'] as const).map((period) => (
        <div key={period} className={styles.period}>
          <span>{t(period === 'baseline' ? 'saving.before' : 'saving.after')}</span>
          {field(period, 'from')}
          <span>–</span>
          {field(period, 'to')}
        </div>
      ))}
      {fault && (
        <small className={styles.wrong} role="alert">
          {t(`saving.fault.${fault}`, { days: MAX_SAVING_DAYS })}
        </small>
      )}
      <div className={styles.end}>
        {shown.periodsBy === 'people' && (
          <Button data-testid="saving-usual" onClick={() => onPeriods(undefined)}>
            {t('saving.usual')}
          </Button>
        )}
        <Button
          htmlType="submit"
          disabled={fault !== undefined}
          loading={isBusy}
          data-testid="saving-compare"
        >
          {t('saving.compare')}
        </Button>
      </div>
    </form>
  )
}
