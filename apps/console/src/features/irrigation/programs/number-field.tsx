import { InputNumber } from 'antd'
import { Field } from './field.tsx'

interface NumberFieldProps {
  readonly label: string
  readonly value: number | undefined
  readonly min: number
  readonly max: number
  readonly precision?: number
  readonly testId?: string
  /** Undefined if the field is empty. */
  readonly onValue: (value: number | undefined) => void
}

/** A number of a form, with its range. */
export function NumberField({ label, value, min, max, precision = 0, testId, onValue }: NumberFieldProps) {
  return (
    <Field label={label}>
      <InputNumber
        aria-label={label}
        style={{ width: '100%' }}
        min={min}
        max={max}
        precision={precision}
        value={value ?? null}
        onChange={(given) => onValue(given ?? undefined)}
        {...(testId !== undefined && { 'data-testid': testId })}
      />
    </Field>
  )
}
