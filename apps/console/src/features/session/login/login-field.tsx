import { type ReactNode, useId } from 'react'

interface LoginFieldProps {
  readonly label: string
  /** Text of the fault. */
  readonly fault: string | undefined
  /** What may be entered. */
  readonly hint?: string | undefined
  /** What needs attention although it is no fault. */
  readonly caution?: string | undefined
  /** Renders the input with the attributes that link it to its label and notes. */
  readonly children: (tied: {
    readonly id: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string
  }) => ReactNode
}

/** A field of the login with a label above and notes below. */
export function LoginField({ label, fault, hint, caution, children }: LoginFieldProps): ReactNode {
  const id = useId()
  const notes = `${id}-notes`
  return (
    <div className="login-field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': fault !== undefined,
        'aria-describedby': notes,
      })}
      <div id={notes} className="login-notes">
        {fault && (
          <p className="login-fault" role="alert">
            {fault}
          </p>
        )}
        {caution && <p className="login-caution">{caution}</p>}
        {hint && <p>{hint}</p>}
      </div>
    </div>
  )
}
