import type { ReportTimes } from '@isotherm/contract/alarms/notice-channels'
import { InputNumber, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { firstReport } from './target-draft.ts'

interface ReportFieldsProps {
  readonly report: ReportTimes | undefined
  readonly onReport: (report: ReportTimes | undefined) => void
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
const LAST_HOUR = 23

/** When a receiver gets a report of its part of the network: never, each day, or on a weekday. */
export function ReportFields({ report, onReport }: ReportFieldsProps) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const mayRead = useIsPermitted('ps-statsys')
  const change = (part: Partial<ReportTimes>) => report && onReport({ ...report, ...part })
  if (!mayRead && !report) return null
  return (
    <>
      <div className={form.switch}>
        <Switch
          id={`${id}-report`}
          checked={report !== undefined}
          disabled={!mayRead}
          data-testid="target-report"
          onChange={(isOn) => onReport(isOn ? firstReport : undefined)}
        />
        <label htmlFor={`${id}-report`}>{t('report.label')}</label>
      </div>
      {report && (
        <Field label={t('report.times')} htmlFor={`${id}-every`} hint={t('report.hint')}>
          <Select
            id={`${id}-every`}
            value={report.every}
            disabled={!mayRead}
            options={(['day', 'week'] as const).map((value) => ({
              value,
              label: t(`report.every.${value}`),
            }))}
            onChange={(every) => change({ every })}
          />
          {report.every === 'week' && (
            <Select
              aria-label={t('report.weekday')}
              value={report.weekday}
              disabled={!mayRead}
              options={weekdays.map((day) => ({ value: day, label: t(`duty.day.d${day}`) }))}
              onChange={(weekday: number) => change({ weekday })}
            />
          )}
          <span>
            <InputNumber<number>
              min={0}
              max={LAST_HOUR}
              precision={0}
              aria-label={t('report.hour')}
              value={report.hour}
              disabled={!mayRead}
              onChange={(hour) => change({ hour: hour ?? 0 })}
            />{' '}
            {t('duty.hours')}
          </span>
          <div className={form.switch}>
            <Switch
              id={`${id}-only`}
              checked={report.isOnly}
              disabled={!mayRead}
              onChange={(isOnly) => change({ isOnly })}
            />
            <label htmlFor={`${id}-only`}>{t('report.only')}</label>
          </div>
        </Field>
      )}
    </>
  )
}
