import { InputNumber } from 'antd'
import { type ReactNode, useId } from 'react'
import { Field } from './field.tsx'
import form from './form.module.css'

interface NumberFieldProps {
  readonly label: string
  readonly value: number | null
  readonly onValue: (value: number | null) => void
  readonly unit?: string | undefined
  readonly fault?: string | undefined
  readonly min?: number
  readonly max?: number
  readonly whole?: boolean
  readonly testId?: string
}

/** A number field; null while it is empty. */
export function NumberField(props: NumberFieldProps): ReactNode {
  const { label, value, onValue, unit, fault, testId, min = -1_000_000, max = 1_000_000, whole } = props
  const id = useId()
  return (
    <Field label={label} htmlFor={id} fault={fault}>
      <InputNumber
        id={id}
        className={form.wide ?? ''}
        value={value}
        min={min}
        max={max}
        {...(whole && { precision: 0 })}
        {...(unit !== undefined && { suffix: unit })}
        status={fault === undefined ? '' : 'error'}
        aria-invalid={fault !== undefined}
        data-testid={testId}
        onChange={onValue}
      />
    </Field>
  )
}
