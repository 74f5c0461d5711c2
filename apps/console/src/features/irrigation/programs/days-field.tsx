import type { IrrigationPlan } from '@isotherm/contract/irrigation'
import { InputNumber, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { toDayNumber } from '../../../shared/format/zone-days.ts'
import { useDayNames } from '../../../shared/week/use-day-names.ts'
import styles from '../irrigation.module.css'

const kinds = ['weekdays', 'every', 'odd', 'even'] as const
const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
type Days = IrrigationPlan['days']

/** Days of a kind, before the user changes them: all weekdays; each second day from today. */
function toDays(kind: Days['kind'], timeZone: string): Days {
  if (kind === 'weekdays') return { kind, days: [...weekdays] }
  if (kind === 'every') return { kind, n: 2, from: toDayNumber(Date.now(), timeZone) }
  return { kind }
}

interface DaysFieldProps {
  readonly days: Days
  /** Zone of the source. */
  readonly timeZone: string
  readonly onDays: (days: Days) => void
}

/** The days of a program. */
export function DaysField({ days, timeZone, onDays }: DaysFieldProps) {
  const { t } = useTranslation('irrigation')
  const names = useDayNames()
  return (
    <span className={styles.line}>
      <Segmented<Days['kind']>
        value={days.kind}
        options={kinds.map((value) => ({ value, label: t(`program.dayKind.${value}`) }))}
        onChange={(kind) => onDays(toDays(kind, timeZone))}
      />
      {days.kind === 'weekdays' && (
        <Select<number[]>
          mode="multiple"
          style={{ minWidth: 220 }}
          aria-label={t('program.days')}
          value={days.days}
          options={weekdays.map((day) => ({ value: day, label: names.short(day) }))}
          onChange={(given) =>
            onDays({ kind: 'weekdays', days: given.toSorted((one, other) => one - other) })
          }
        />
      )}
      {days.kind === 'every' && (
        <InputNumber
          aria-label={t('program.days')}
          min={1}
          max={60}
          precision={0}
          value={days.n}
          onChange={(n) => onDays({ ...days, n: n ?? 2 })}
        />
      )}
    </span>
  )
}
