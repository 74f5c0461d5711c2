import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../../shared/ui/states.tsx'
import { LoginFailure } from '../sign-in/login-failure.tsx'
import { finishAtProvider, type ProviderAnswer } from './single-sign-on.ts'

interface SingleSignOnEndProps {
  readonly answer: ProviderAnswer
  /** Called after a successful login with the address that the user came for. */
  readonly onDone: (redirect: string | null) => void
  /** Opens the ordinary login. */
  readonly onCancel: () => void
}

/** The login page after the provider has sent the browser back. */
export function SingleSignOnEnd({ answer, onDone, onCancel }: SingleSignOnEndProps): ReactNode {
  const { t } = useTranslation('session')
  // A query, because the answer of the provider can be used once, also where effects run twice.
  const { data, error, isSuccess } = useQuery({
    queryKey: ['single-sign-on', answer.state],
    queryFn: async () => ({ redirect: await finishAtProvider(answer) }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const finish = useEffectEvent(() => onDone(data?.redirect ?? null))
  useEffect(() => {
    if (isSuccess) finish()
  }, [isSuccess])
  if (!error) return <LoadingState text={t('singleSignOn.ending')} />
  return (
    <>
      <LoginFailure error={error} />
      <Button type="primary" size="large" block onClick={onCancel}>
        {t('login.back')}
      </Button>
    </>
  )
}
