import { type ReactNode, useId } from 'react'

interface LoginFieldProps {
  readonly label: string
  /** What is wrong with what was typed. */
  readonly fault: string | undefined
  readonly hint?: string | undefined
  /** Makes the input, with what ties it to its label and to what is said below it. */
  readonly children: (tied: {
    readonly id: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string
  }) => ReactNode
}

/** A field of the login: its label above, what is wrong or worth knowing below. */
export function LoginField({ label, fault, hint, children }: LoginFieldProps): ReactNode {
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
        {hint && <p>{hint}</p>}
      </div>
    </div>
  )
}
