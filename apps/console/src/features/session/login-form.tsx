import { LockOutlined, UserOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Form, Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import { toFailureText } from '../../shared/api/api-error.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { DemoAccounts } from '../../shared/ui/demo-accounts.tsx'
import { LoadingState } from '../../shared/ui/states.tsx'
import { findKeptCredentials, forgetCredentials } from './kept-credentials.ts'
import { hashPassword } from './password.ts'
import { signIn } from './sign-in.ts'
import { findWaitUntil, toSecondsLeft } from './slow-down.ts'

interface Fields {
  readonly account: string
  readonly password: string
}

async function submit({ account, password }: Fields): Promise<void> {
  await signIn(account, hashPassword(password))
  forgetCredentials()
}

export interface LoginFormProps {
  /** Runs once a session stands. */
  readonly onDone: () => void
  /** Signs in at once with what came in the address. */
  readonly startsAtOnce?: boolean
}

/** Account and password. */
export function LoginForm({ onDone, startsAtOnce = false }: LoginFormProps): ReactNode {
  const { t } = useTranslation('session')
  const [form] = Form.useForm<Fields>()
  const [capsLock, setCapsLock] = useState(false)
  const login = useMutation({ mutationFn: submit, onSuccess: onDone })
  const [waitUntil, setWaitUntil] = useState<number>()
  const now = useNow()
  const secondsLeft = toSecondsLeft(waitUntil, now)
  const noteCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  // From the login to the first page the permitted modules are loaded, which may take a while.
  const isEntering = useNavigation().state !== 'idle'
  const kept = findKeptCredentials()
  const start = (fields: Fields) =>
    login.mutate(fields, { onError: (error) => setWaitUntil(findWaitUntil(error, now)) })
  const startKept = useEffectEvent(() => {
    if (startsAtOnce && kept) start(kept)
  })
  useEffect(() => startKept(), [])
  if (startsAtOnce && kept && !login.isError)
    return <LoadingState text={t('frame.signingIn', { account: kept.account })} />
  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      size="large"
      requiredMark={false}
      initialValues={kept ? { account: kept.account, password: kept.password } : {}}
      onFinish={start}
      className="login-form"
    >
      <Form.Item
        name="account"
        label={t('login.account')}
        rules={[
          { required: true, whitespace: true, message: t('login.accountRequired') },
          { transform: (value?: string) => value?.trim(), max: 64, message: t('login.accountTooLong') },
        ]}
      >
        <Input prefix={<UserOutlined />} autoComplete="username" autoFocus spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('login.password')}
        rules={[{ required: true, message: t('login.passwordRequired') }]}
        extra={capsLock ? t('login.capsLock') : undefined}
      >
        <Input.Password
          prefix={<LockOutlined />}
          autoComplete="current-password"
          onKeyUp={noteCapsLock}
          onKeyDown={noteCapsLock}
        />
      </Form.Item>
      {login.isError && (
        <Alert
          type="error"
          showIcon
          role="alert"
          className="login-error"
          title={toFailureText(login.error)}
          data-testid="login-error"
        />
      )}
      <Button
        type="primary"
        htmlType="submit"
        block
        loading={login.isPending || isEntering}
        disabled={secondsLeft > 0}
        data-testid="login-submit"
      >
        {secondsLeft > 0 ? t('login.wait', { seconds: secondsLeft }) : t('login.submit')}
      </Button>
      {!startsAtOnce && (
        <DemoAccounts onPick={(account, password) => form.setFieldsValue({ account, password })} />
      )}
    </Form>
  )
}
