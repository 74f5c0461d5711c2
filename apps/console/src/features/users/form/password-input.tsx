import type { PasswordRules } from '@isotherm/contract/access/password-rules'
import { Button, Input, Space } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ControlProps } from '../../../shared/form/form-field.ts'
import { generatePassword } from '../../../shared/session/new-password.ts'

interface PasswordInputProps extends ControlProps {
  /** A generated password satisfies them. */
  readonly rules: PasswordRules
}

/** A password for another user: typed or generated. A generated one is shown, so that it can be handed over. */
export function PasswordInput({ id, value, isFaulty, onValue, rules }: PasswordInputProps) {
  const { t } = useTranslation('users')
  const [isVisible, setVisible] = useState(false)
  return (
    <Space.Compact block>
      <Input.Password
        id={id}
        data-testid="field-password"
        value={typeof value === 'string' ? value : ''}
        autoComplete="new-password"
        aria-invalid={isFaulty}
        status={isFaulty ? 'error' : ''}
        visibilityToggle={{ visible: isVisible, onVisibleChange: setVisible }}
        onChange={({ target }) => onValue(target.value)}
      />
      <Button
        data-testid="password-generate"
        onClick={() => {
          setVisible(true)
          onValue(generatePassword(rules))
        }}
      >
        {t('password.generate')}
      </Button>
    </Space.Compact>
  )
}
