import type { DutyTimes } from '@isotherm/contract/alarms/notice-channels'
import { InputNumber, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import form from '../../../shared/form/form.module.css'
import { firstDuty } from './target-draft.ts'

interface DutyFieldsProps {
  readonly duty: DutyTimes | undefined
  readonly fault: string | undefined
  readonly onDuty: (duty: DutyTimes | undefined) => void
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** When a receiver is on duty: always, or hours of some weekdays. */
export function DutyFields({ duty, fault, onDuty }: DutyFieldsProps) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const hour = (name: 'hourFrom' | 'hourTo', max: number) => (
    <InputNumber<number>
      min={0}
      max={max}
      precision={0}
      aria-label={t(`duty.${name}`)}
      value={duty?.[name] ?? 0}
      onChange={(value) => duty && onDuty({ ...duty, [name]: value ?? 0 })}
    />
  )
  return (
    <>
      <div className={form.switch}>
        <Switch
          id={`${id}-duty`}
          checked={duty !== undefined}
          onChange={(isOn) => onDuty(isOn ? firstDuty : undefined)}
        />
        <label htmlFor={`${id}-duty`}>{t('duty.label')}</label>
      </div>
      {duty && (
        <Field label={t('duty.times')} htmlFor={`${id}-days`} hint={t('duty.hint')} fault={fault}>
          <span>
            {hour('hourFrom', 23)} – {hour('hourTo', 24)} {t('duty.hours')}
          </span>
          <Select
            id={`${id}-days`}
            mode="multiple"
            value={[...duty.weekdays]}
            options={weekdays.map((day) => ({ value: day, label: t(`duty.day.d${day}`) }))}
            onChange={(days: number[]) => onDuty({ ...duty, weekdays: days.toSorted((a, b) => a - b) })}
          />
        </Field>
      )}
    </>
  )
}
