import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { LanguageSwitch, ThemeSwitch } from '../../../shared/inputs/switches.tsx'
import { BrandLogo } from '../../../shared/installation/brand-logo.tsx'
import { useBranding } from '../../../shared/installation/branding.ts'
import { ContourLines } from '../../../shared/installation/contour-lines.tsx'
import { findTokens, hadAnotherUser, sessionKeys, storeLastUser } from '../../../shared/session/tokens.ts'
import './login.css'
import { findProviderAnswer } from '../single-sign-on/single-sign-on.ts'
import { SingleSignOnEnd } from '../single-sign-on/single-sign-on-end.tsx'
import { isFramed } from './is-framed.ts'
import { chooseLanding, storeLanding } from './landing.ts'
import { LoginForm } from './login-form.tsx'

/** Returns the function that leaves the login for the requested address, if `mayFollow` allows it. */
function useEnter(mayFollow: () => boolean): (redirect?: string | null) => void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (redirect = search.get('redirect')) => {
    const to = chooseLanding(redirect, !mayFollow())
    if (to !== '/') storeLanding(to)
    void navigate(to, { replace: true })
  }
}

/** Whether the user who has logged in is the same as before in this tab, or the first one in it. */
const isSameUser = (): boolean => {
  const tokens = findTokens(localStorage, Date.now())
  return tokens !== undefined && !hadAnotherUser(sessionStorage, tokens.uid)
}

/** Leaves the login when another tab logs in: all tabs share one session. */
function useOtherTabs(enter: () => void): void {
  const handleStorage = useEffectEvent(({ key }: StorageEvent) => {
    if (key === sessionKeys.first && findTokens(localStorage, Date.now())) enter()
  })
  useEffect(() => {
    const watch = (event: StorageEvent) => handleStorage(event)
    window.addEventListener('storage', watch)
    return () => window.removeEventListener('storage', watch)
  }, [])
}

/** Page /login: form and product name over decorative isotherms. */
export default function LoginPage(): ReactNode {
  const { t } = useTranslation('session')
  const { documentTitle, logo } = useBranding()
  const enter = useEnter(isSameUser)
  useOtherTabs(() => enter())
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const answer = findProviderAnswer(search)
  return (
    <main className="login">
      <ContourLines className="login-lines" />
      <div className="login-switches">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <section className="login-card">
        <div className="login-brand">
          <BrandLogo logo={logo} heightPx={30} />
          <h1>{documentTitle}</h1>
        </div>
        <p className="login-lead">{t('login.lead')}</p>
        {answer ? (
          <SingleSignOnEnd
            answer={answer}
            onDone={enter}
            onCancel={() => void navigate('/login', { replace: true })}
          />
        ) : (
          <LoginForm onDone={() => enter()} />
        )}
      </section>
    </main>
  )
}

/**
 * Page /loginiframe: the form alone, for embedding. The portal sets its address, so the redirect is always followed.
 */
export function LoginFramePage(): ReactNode {
  const enter = useEnter(() => true)
  const [startsAtOnce] = useState(() => isFramed() || !findTokens(localStorage, Date.now()))
  // Assign the tab to the new user.
  const claim = () => {
    const tokens = findTokens(localStorage, Date.now())
    if (tokens) storeLastUser(sessionStorage, tokens.uid)
    enter()
  }
  return (
    <main className="login login-embedded">
      <section className="login-card">
        <LoginForm onDone={claim} startsAtOnce={startsAtOnce} />
      </section>
    </main>
  )
}
