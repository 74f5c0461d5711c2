import { Input } from 'antd'
import type { ReactNode } from 'react'
import type { ControlProps } from '../../../shared/form/form-field.ts'

/** Control of the password that a user has now, which a password manager may fill in. */
export const renderPresentPassword = ({ id, value, isFaulty, onValue }: ControlProps): ReactNode => (
  <Input.Password
    id={id}
    data-testid="field-present"
    autoComplete="current-password"
    value={typeof value === 'string' ? value : ''}
    aria-invalid={isFaulty}
    status={isFaulty ? 'error' : ''}
    onChange={({ target }) => onValue(target.value)}
  />
)
