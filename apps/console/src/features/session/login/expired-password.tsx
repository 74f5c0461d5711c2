import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../shared/api/api-error.ts'
import { useRulesText } from '../../../shared/form/password-rules.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { replacePassword } from '../password/replace-password.ts'
import { LoginFailure } from '../sign-in/login-failure.tsx'
import { findFurtherStep } from '../sign-in/second-step.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { CodeStep } from './code-step.tsx'
import type { LoginFields } from './login-faults.ts'
import { LoginField } from './login-field.tsx'
import { CodeField, LoginSubmit } from './login-parts.tsx'
import { PasswordField } from './password-field.tsx'
import { useWait } from './use-wait.ts'

interface ExpiredPasswordProps {
  /** Account and present password, which the server has accepted. */
  readonly fields: LoginFields
  /** The refusal of the login, with the rules for a new password. */
  readonly refusal: ApiError
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Second step of a login with an expired password: a new password, then the login with it. */
export function ExpiredPassword({ fields, refusal, onDone, onCancel }: ExpiredPasswordProps): ReactNode {
  const { t } = useTranslation('session')
  const toRulesText = useRulesText()
  const [next, setNext] = useState('')
  const [code, setCode] = useState('')
  const [repeated, setRepeated] = useState('')
  const { secondsLeft, note } = useWait()
  const { params } = refusal
  const rules = {
    minLength: Number(params.minLength),
    minKinds: Number(params.minKinds),
    history: Number(params.history),
  }
  const account = fields.account.trim()
  // Apart from the change: if only the login fails, the password is the new one already.
  const login = useMutation({
    mutationFn: () => signIn(account, hashPassword(next)),
    onSuccess: onDone,
    onError: note,
  })
  const change = useMutation({
    mutationFn: () =>
      replacePassword({ account, present: fields.password, next, code: code.trim() || undefined }),
    onSuccess: () => login.mutate(),
    onError(error) {
      if (findFurtherStep(error) === 'code') setCode('')
      note(error)
    },
  })
  if (findFurtherStep(login.error) === 'code') {
    return <CodeStep fields={{ account, password: next }} onDone={onDone} onCancel={onCancel} />
  }
  const needsCode = code !== '' || findFurtherStep(change.error) === 'code'
  const differs = repeated !== '' && next !== repeated
  const { isSuccess: isChanged } = change
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged) login.mutate()
    else if (next === repeated) change.mutate()
  }
  // Without the account and 'failure reason': nothing has failed yet.
  const { cause } = refusal
  const why = cause instanceof ApiError ? cause.text : refusal.text
  const done = t('success.done', { ns: 'common', title: t('password.title') })
  return (
    <form onSubmit={send} className="login-form">
      <Alert
        type={isChanged ? 'success' : 'warning'}
        showIcon
        className="login-error"
        title={isChanged ? done : why}
      />
      {!isChanged && (
        <>
          <LoginField label={t('password.next')} fault={undefined} hint={toRulesText(rules)}>
            {(tied) => (
              <PasswordField
                {...tied}
                isLarge
                name="next"
                autoComplete="new-password"
                autoFocus
                value={next}
                onChange={({ target }) => setNext(target.value)}
              />
            )}
          </LoginField>
          <LoginField label={t('password.repeated')} fault={differs ? t('password.differs') : undefined}>
            {(tied) => (
              <PasswordField
                {...tied}
                isLarge
                name="repeated"
                autoComplete="new-password"
                value={repeated}
                onChange={({ target }) => setRepeated(target.value)}
              />
            )}
          </LoginField>
          {needsCode && <CodeField code={code} onCode={setCode} />}
        </>
      )}
      <LoginFailure error={change.error ?? login.error} />
      <LoginSubmit
        text={isChanged ? t('login.submit') : t('password.title')}
        isBusy={change.isPending || login.isPending}
        isReady={next !== '' && next === repeated}
        secondsLeft={secondsLeft}
      />
      <Button type="link" block onClick={onCancel}>
        {t('login.back')}
      </Button>
    </form>
  )
}
