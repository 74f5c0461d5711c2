import { Modal } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../shared/api/api-error.ts'
import { provideRecovery } from '../../shared/session/recovery.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { clearTokens } from '../../shared/session/tokens.ts'
import { showNotice } from '../../shared/ui/notices.ts'
import { signIn, storedLogin } from './sign-in.ts'

interface Question {
  readonly answer: (again: boolean) => void
}

/** Logs in again with what this tab stored; false when it stored nothing or the server said no. */
async function logInAgain(): Promise<boolean> {
  const stored = storedLogin.find()
  clearTokens(localStorage)
  if (!stored) return false
  try {
    await signIn(stored.account, stored.passwordHash)
    useSession.setState({ expired: false })
    return true
  } catch (error) {
    showNotice('error', toFailureText(error))
    return false
  }
}

/**
 * The dialog of an expired session (specification, sections 4 and 8). Re-Login opens a new session with what
 * this tab stored, or else leads to the login page; Cancel leaves the page as it is, marked as expired.
 */
export function Relogin({ onLost }: { readonly onLost: () => void }): ReactNode {
  const { t } = useTranslation('session')
  const [question, setQuestion] = useState<Question>()
  useEffect(() => {
    provideRecovery(async () => {
      if (useSession.getState().expired) return false
      const again = await new Promise<boolean>((answer) => setQuestion({ answer }))
      setQuestion(undefined)
      if (!again) useSession.setState({ expired: true })
      if (!again) return false
      const done = await logInAgain()
      if (!done) onLost()
      return done
    })
  }, [onLost])
  return (
    <Modal
      open={question !== undefined}
      title={t('expired.title')}
      okText={t('expired.confirm')}
      cancelText={t('expired.cancel')}
      onOk={() => question?.answer(true)}
      onCancel={() => question?.answer(false)}
      mask={{ closable: false }}
      width={400}
    >
      {t('expired.text')}
    </Modal>
  )
}
