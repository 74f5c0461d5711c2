import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../shared/api/api-error.ts'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { LoadingState } from '../../../shared/ui/states.tsx'
import { findFurtherStep } from '../sign-in/second-step.ts'
import { CodeStep } from './code-step.tsx'
import { ExpiredPassword } from './expired-password.tsx'
import type { LoginFields } from './login-faults.ts'

const Setup = lazyView(() => import('../second-factor/setup.tsx'))

interface FurtherStepProps {
  readonly fields: LoginFields
  /** The refusal of the login, which names the step. */
  readonly refusal: Error | null
  readonly onDone: () => void
  /** Logs in again with the same account and password. */
  readonly onRepeat: () => void
  readonly onCancel: () => void
}

/** What a login needs beside the right password: a code, a new password, or a second factor that is set up first. */
export function FurtherStep(props: FurtherStepProps): ReactNode {
  const { fields, refusal, onDone, onRepeat, onCancel } = props
  const { t } = useTranslation('session')
  const step = findFurtherStep(refusal)
  if (step === 'code') return <CodeStep fields={fields} onDone={onDone} onCancel={onCancel} />
  if (step === 'new-password' && refusal instanceof ApiError) {
    return <ExpiredPassword fields={fields} refusal={refusal} onDone={onDone} onCancel={onCancel} />
  }
  return (
    <Suspense fallback={<LoadingState />}>
      <p>{t('factor.enrol')}</p>
      <Setup
        credentials={{ username: fields.account.trim(), password: hashPassword(fields.password) }}
        onDone={onRepeat}
        onCancel={onCancel}
      />
    </Suspense>
  )
}
