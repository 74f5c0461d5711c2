import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { BrandMark, ContourLines } from '../../shared/ui/contour-lines.tsx'
import { LanguageSwitch, ThemeSwitch } from '../../shared/ui/switches.tsx'
import './login.css'
import { LoginForm } from './login-form.tsx'
import { toSafeRedirect } from './safe-redirect.ts'

function useEnter(): () => void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return () => void navigate(toSafeRedirect(search.get('redirect')), { replace: true })
}

/** /login: the form beside the product's name, over contour lines of equal temperature. */
export default function LoginPage(): ReactNode {
  const { t } = useTranslation(['session', 'common'])
  const enter = useEnter()
  return (
    <main className="login">
      <ContourLines className="login-lines" />
      <div className="login-switches">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <section className="login-card">
        <div className="login-brand">
          <BrandMark sizePx={30} />
          <h1>{t('title.document', { ns: 'common' })}</h1>
        </div>
        <p className="login-lead">{t('login.lead')}</p>
        <LoginForm onDone={enter} />
      </section>
    </main>
  )
}

/** /loginiframe: the form alone, for embedding. */
export function LoginFramePage(): ReactNode {
  const enter = useEnter()
  return (
    <main className="login login-embedded">
      <section className="login-card">
        <LoginForm onDone={enter} />
      </section>
    </main>
  )
}
