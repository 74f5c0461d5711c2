import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { toFailureText } from '../../../shared/api/api-error.ts'

/** Why the last attempt to log in failed; nothing without an error. */
export function LoginFailure({ error }: { readonly error: Error | null }): ReactNode {
  if (!error) return null
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="login-error"
      title={toFailureText(error)}
      data-testid="login-error"
    />
  )
}
