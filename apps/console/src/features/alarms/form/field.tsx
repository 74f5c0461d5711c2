import type { ReactNode } from 'react'
import styles from '../parts/alarms.module.css'
import form from './form.module.css'

interface FieldProps {
  readonly label: string
  /** Id of the control; absent where several stand in the field, which then name themselves. */
  readonly htmlFor?: string
  readonly hint?: string
  /** What is wrong with what stands in it. */
  readonly fault?: string | undefined
  readonly children: ReactNode
}

/** A control with its label, what is wrong with it, and what is to be known of it. */
export function Field({ label, htmlFor, hint, fault, children }: FieldProps) {
  return (
    <div className={form.field}>
      {htmlFor === undefined ? <span>{label}</span> : <label htmlFor={htmlFor}>{label}</label>}
      {children}
      {fault !== undefined && (
        <small className={form.wrong} role="alert">
          {fault}
        </small>
      )}
      {hint !== undefined && <small className={styles.meta}>{hint}</small>}
    </div>
  )
}
