import type { ComponentProps } from 'react'
import styles from './date-input.module.css'

type DateInputProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'onChange'> & {
  /** A day such as 2026-11-27; empty for none. */
  readonly value: string
  readonly onValue: (value: string) => void
}

/** A field for a day. */
export function DateInput({ onValue, ...rest }: DateInputProps) {
  return (
    <input {...rest} type="date" className={styles.date} onChange={(event) => onValue(event.target.value)} />
  )
}
