import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hashPassword } from '../../../shared/session/password.ts'
import { LoginFailure } from '../sign-in/login-failure.tsx'
import { signIn } from '../sign-in/sign-in.ts'
import type { LoginFields } from './login-faults.ts'
import { CodeField, LoginSubmit } from './login-parts.tsx'
import { useWait } from './use-wait.ts'

interface CodeStepProps {
  /** Account and password, which the server has accepted. */
  readonly fields: LoginFields
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Second step of a login: the code of the authenticator app, or a recovery code. */
export function CodeStep({ fields, onDone, onCancel }: CodeStepProps): ReactNode {
  const { t } = useTranslation('session')
  const [code, setCode] = useState('')
  const { secondsLeft, note } = useWait()
  const login = useMutation({
    mutationFn: () => signIn(fields.account, hashPassword(fields.password), { as: 'replace', code }),
    onSuccess: onDone,
    onError: (error) => {
      setCode('')
      note(error)
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    login.mutate()
  }
  return (
    <form onSubmit={send} className="login-form">
      <CodeField code={code} onCode={setCode} />
      <LoginFailure error={login.error} />
      <LoginSubmit
        text={t('login.submit')}
        isBusy={login.isPending}
        isReady={code.trim().length >= 6}
        secondsLeft={secondsLeft}
      />
      <Button type="link" block onClick={onCancel}>
        {t('login.back')}
      </Button>
    </form>
  )
}
