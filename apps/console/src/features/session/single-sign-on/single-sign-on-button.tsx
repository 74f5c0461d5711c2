import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useConsoleSettings } from '../../../shared/installation/console-settings.ts'
import { LoginFailure } from '../sign-in/login-failure.tsx'
import { openProvider } from './single-sign-on.ts'

/** Leads to the company's own sign-in, if the installation has one. */
export function SingleSignOnButton(): ReactNode {
  const { t } = useTranslation('session')
  const { singleSignOn } = useConsoleSettings()
  const [search] = useSearchParams()
  const opening = useMutation({ mutationFn: () => openProvider(search.get('redirect')) })
  if (!singleSignOn) return null
  return (
    <>
      <Button
        size="large"
        block
        className="login-further"
        loading={opening.isPending}
        data-testid="single-sign-on"
        onClick={() => opening.mutate()}
      >
        {t('singleSignOn.open')}
      </Button>
      <LoginFailure error={opening.error} />
    </>
  )
}
