import { SafetyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../shared/inputs/text-field.tsx'
import { LoginField } from './login-field.tsx'

interface LoginSubmitProps {
  readonly text: string
  readonly isBusy: boolean
  readonly isReady?: boolean
  /** The server accepts no attempt for this time, s. */
  readonly secondsLeft: number
}

/** The button that sends a form of the login. It counts down while the server asks for a pause. */
export function LoginSubmit({ text, isBusy, isReady = true, secondsLeft }: LoginSubmitProps): ReactNode {
  const { t } = useTranslation('session')
  return (
    <Button
      type="primary"
      htmlType="submit"
      size="large"
      block
      loading={isBusy}
      disabled={secondsLeft > 0 || !isReady}
      data-testid="login-submit"
    >
      {secondsLeft > 0 ? t('login.wait', { seconds: secondsLeft }) : text}
    </Button>
  )
}

interface CodeFieldProps {
  readonly code: string
  readonly onCode: (code: string) => void
}

/** Field for the code of the authenticator app, or a recovery code. It has the focus when it appears. */
export function CodeField({ code, onCode }: CodeFieldProps): ReactNode {
  const { t } = useTranslation('session')
  return (
    <LoginField label={t('factor.code')} fault={undefined} hint={t('factor.codeHint')}>
      {(tied) => (
        <TextField
          {...tied}
          isLarge
          icon={<SafetyOutlined />}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          spellCheck={false}
          maxLength={40}
          value={code}
          onChange={({ target }) => onCode(target.value)}
          data-testid="login-code"
        />
      )}
    </LoginField>
  )
}
