import { UserOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import { TextField } from '../../../shared/inputs/text-field.tsx'
import { DemoAccounts } from '../../../shared/installation/demo-accounts.tsx'
import { hashPassword } from '../../../shared/session/password.ts'
import { LoadingState } from '../../../shared/ui/states.tsx'
import { LoginFailure } from '../sign-in/login-failure.tsx'
import { findFurtherStep } from '../sign-in/second-step.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { SingleSignOnButton } from '../single-sign-on/single-sign-on-button.tsx'
import { clearCredentials, findAddressCredentials } from './address-credentials.ts'
import { FurtherStep } from './further-step.tsx'
import { findLoginFaults, type LoginFields } from './login-faults.ts'
import { LoginField } from './login-field.tsx'
import { LoginSubmit } from './login-parts.tsx'
import { PasswordField } from './password-field.tsx'
import { useWait } from './use-wait.ts'

async function submit({ account, password }: LoginFields): Promise<void> {
  await signIn(account, hashPassword(password))
  clearCredentials()
}

export interface LoginFormProps {
  /** Called after a successful login. */
  readonly onDone: () => void
  /** Logs in at once with the credentials of the address. */
  readonly startsAtOnce?: boolean
}

/** Login form with account and password. */
export function LoginForm({ onDone, startsAtOnce = false }: LoginFormProps): ReactNode {
  const { t } = useTranslation('session')
  const [capsLock, setCapsLock] = useState(false)
  const login = useMutation({ mutationFn: submit, onSuccess: onDone })
  const { secondsLeft, note } = useWait()
  const updateCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  // The permitted modules load between the login and the first page, which may take a while.
  const isEntering = useNavigation().state !== 'idle'
  const given = findAddressCredentials()
  const [fields, setFields] = useState<LoginFields>(given ?? { account: '', password: '' })
  const [isTried, setTried] = useState(false)
  const faults = findLoginFaults(fields)
  const shown = isTried ? faults : {}
  const start = (fields: LoginFields) => login.mutate(fields, { onError: note })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    const [wrong] = Object.keys(faults)
    if (wrong === undefined) return start(fields)
    const input = event.currentTarget.elements.namedItem(wrong)
    if (input instanceof HTMLElement) input.focus()
  }
  const startGiven = useEffectEvent(() => {
    if (startsAtOnce && given) start(given)
  })
  useEffect(() => startGiven(), [])
  if (startsAtOnce && given && !login.isError)
    return <LoadingState text={t('frame.signingIn', { account: given.account })} />
  const isFurther = findFurtherStep(login.error) !== undefined
  if (isFurther) {
    const enter = () => {
      clearCredentials()
      onDone()
    }
    return (
      <FurtherStep
        fields={fields}
        refusal={login.error}
        onDone={enter}
        onRepeat={() => start(fields)}
        onCancel={login.reset}
      />
    )
  }
  return (
    <form onSubmit={send} noValidate className="login-form">
      <LoginField label={t('login.account')} fault={shown.account && t(shown.account)}>
        {(tied) => (
          <TextField
            {...tied}
            isLarge
            icon={<UserOutlined />}
            name="account"
            autoComplete="username"
            autoFocus
            spellCheck={false}
            value={fields.account}
            onChange={({ target }) => setFields((before) => ({ ...before, account: target.value }))}
          />
        )}
      </LoginField>
      <LoginField
        label={t('login.password')}
        fault={shown.password && t(shown.password)}
        caution={capsLock ? t('login.capsLock') : undefined}
      >
        {(tied) => (
          <PasswordField
            {...tied}
            isLarge
            name="password"
            autoComplete="current-password"
            onKeyUp={updateCapsLock}
            onKeyDown={updateCapsLock}
            value={fields.password}
            onChange={({ target }) => setFields((before) => ({ ...before, password: target.value }))}
          />
        )}
      </LoginField>
      <LoginFailure error={login.error} />
      <LoginSubmit
        text={t('login.submit')}
        isBusy={login.isPending || isEntering}
        secondsLeft={secondsLeft}
      />
      {!startsAtOnce && <SingleSignOnButton />}
      {!startsAtOnce && <DemoAccounts onPick={(account, password) => setFields({ account, password })} />}
    </form>
  )
}
