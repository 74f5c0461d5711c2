import type { ReactNode } from 'react'
import form from './form.module.css'

interface FieldProps {
  readonly label: string
  /** Id of the control; missing if the field has several controls with their own labels. */
  readonly htmlFor?: string
  readonly hint?: string
  /** The error of the value, if any. */
  readonly fault?: string | undefined
  readonly children: ReactNode
}

/** A control with label, error and hint. */
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
      {hint !== undefined && <small className={form.meta}>{hint}</small>}
    </div>
  )
}
