import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../shared/format/use-now.ts'
import { SpanPicker } from '../../../shared/inputs/span-picker.tsx'
import { findFixedRange, type LogPreset, type LogRange, logPresets, toLogSpan } from '../filter/log-range.ts'
import styles from '../parts/alarms.module.css'

interface LogRangePickerProps {
  readonly range: LogRange
  readonly onRange: (range: LogRange) => void
}

/** Chooses the range of the log. */
export function LogRangePicker({ range, onRange }: LogRangePickerProps) {
  const { t } = useTranslation('alarms')
  const now = useNow(60)
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
      <SpanPicker
        isInForce={range.kind === 'fixed'}
        getStart={() => ({ to: now, ...toLogSpan(range, now) })}
        findRange={findFixedRange}
        onRange={onRange}
      />
    </span>
  )
}
