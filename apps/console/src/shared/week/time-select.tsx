import { Select } from 'antd'
import { STEP_MINUTES, toClock } from './clock-text.ts'

interface TimeSelectProps {
  readonly label: string
  readonly value: number
  /** Range in minutes of the day, both ends included. */
  readonly min: number
  readonly max: number
  readonly testId: string
  readonly onValue: (minute: number) => void
}

/** Select for a quarter of an hour of the day. */
export function TimeSelect({ label, value, min, max, testId, onValue }: TimeSelectProps) {
  const count = (max - min) / STEP_MINUTES + 1
  return (
    <Select<number>
      showSearch={{ optionFilterProp: 'label' }}
      aria-label={label}
      data-testid={testId}
      style={{ width: 92 }}
      value={value}
      options={Array.from({ length: count }, (_, i) => ({
        value: min + i * STEP_MINUTES,
        label: toClock(min + i * STEP_MINUTES),
      }))}
      onChange={onValue}
    />
  )
}
