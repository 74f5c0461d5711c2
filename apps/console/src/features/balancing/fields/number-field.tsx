import { InputNumber } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import field from './field.module.css'
import styles from './form.module.css'

interface NumberFieldProps {
  readonly label: string
  readonly unit: string
  readonly hint: string
  readonly bounds: { readonly min: number; readonly max: number }
  /** Whether it is an integer count. */
  readonly isWhole?: boolean
  /** Whether it is required. */
  readonly isNeeded?: boolean
  readonly placeholder?: string
  readonly value: number | null
  readonly onValue: (value: number | null) => void
}

/** Number field with a unit; null while incomplete. */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    unit,
    hint,
    bounds,
    isWhole = false,
    isNeeded = false,
    placeholder = '',
    value,
    onValue,
  } = props
  const { t } = useTranslation('balancing')
  const id = useId()
  const [isTouched, setTouched] = useState(false)
  // Show no error for an empty field before the user leaves it.
  const isWrong = value === null ? isNeeded && isTouched : value < bounds.min || value > bounds.max
  return (
    <div className={field.field}>
      <label htmlFor={id}>{label}</label>
      <InputNumber<number>
        id={id}
        className={styles.number ?? ''}
        suffix={unit}
        value={value}
        placeholder={placeholder}
        {...(isWhole && { precision: 0 })}
        status={isWrong ? 'error' : ''}
        aria-invalid={isWrong}
        onChange={(typed) => {
          setTouched(true)
          onValue(typed)
        }}
        onBlur={() => setTouched(true)}
      />
      {isWrong ? (
        <small className={field.wrong} role="alert">
          {t('start.wrong', bounds)}
        </small>
      ) : (
        <small>{hint}</small>
      )}
    </div>
  )
}
