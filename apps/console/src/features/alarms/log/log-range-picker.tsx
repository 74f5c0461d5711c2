import { Button, Popover, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalInput } from '../../../shared/format/local-input.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import styles from '../alarms.module.css'
import form from '../form.module.css'
import { findFixedRange, type LogPreset, type LogRange, logPresets, toLogSpan } from './log-range.ts'

interface LogRangePickerProps {
  readonly range: LogRange
  readonly onRange: (range: LogRange) => void
}

/** Chooses the time the log is shown of. */
export function LogRangePicker({ range, onRange }: LogRangePickerProps) {
  const { t } = useTranslation('alarms')
  return (
    <span className={styles.span}>
      <Segmented<LogPreset | ''>
        aria-label={t('log.range')}
        value={range.kind === 'last' ? range.preset : ''}
        options={logPresets.map((value) => ({ value, label: t(`log.preset.${value}`) }))}
        onChange={(preset) => {
          if (preset !== '') onRange({ kind: 'last', preset })
        }}
      />
      <CustomRange range={range} onRange={onRange} />
    </span>
  )
}

function CustomRange({ range, onRange }: LogRangePickerProps) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const now = useNow(60)
  const [open, setOpen] = useState(false)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const chosen = findFixedRange(Date.parse(from), Date.parse(to))
  const show = (isOpen: boolean) => {
    setOpen(isOpen)
    if (!isOpen) return
    const span = toLogSpan(range, now)
    setFrom(span.from === undefined ? '' : toLocalInput(span.from))
    setTo(toLocalInput(span.to ?? now))
  }
  const field = (name: string, label: string, value: string, onValue: (value: string) => void) => (
    <>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        className={form.instant}
        type="datetime-local"
        step={1}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </>
  )
  return (
    <Popover
      trigger="click"
      open={open}
      onOpenChange={show}
      content={
        <form
          className={form.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (!chosen) return
            setOpen(false)
            onRange(chosen)
          }}
        >
          {field('from', t('log.from'), from, setFrom)}
          {field('to', t('log.to'), to, setTo)}
          <Button type="primary" htmlType="submit" disabled={!chosen}>
            {t('log.apply')}
          </Button>
        </form>
      }
    >
      <Button type={range.kind === 'fixed' ? 'primary' : 'default'}>{t('log.custom')}</Button>
    </Popover>
  )
}
