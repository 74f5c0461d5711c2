import { DisconnectOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { signOut } from '../../features/session/sign-in/sign-out.ts'
import { toFailureText } from '../../shared/api/api-error.ts'
import './fallback.css'
import { LanguageSwitch } from '../../shared/inputs/switches.tsx'
import { LOGIN_PATH, toAddress } from '../guard/guard-target.ts'

/** Interval between automatic retries, ms. */
const RETRY_EVERY_MS = 10_000

/**
 * Replaces the whole console while the permitted modules cannot be loaded. The session stays valid. It retries
 * automatically; the user can also retry or log out.
 */
export function RetryPage({ cause }: { readonly cause: unknown }): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const location = useLocation()
  const isTrying = useNavigation().state !== 'idle'
  const retry = () => void navigate(toAddress(location), { replace: true })
  const retryIfIdle = useEffectEvent(() => {
    if (!isTrying) retry()
  })
  useEffect(() => {
    const again = () => retryIfIdle()
    const timer = setInterval(again, RETRY_EVERY_MS)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [])
  const leave = () => {
    signOut()
    void navigate(LOGIN_PATH, { replace: true })
  }
  return (
    <main className="retry-page" data-testid="retry-page">
      <div className="retry-switch">
        <LanguageSwitch />
      </div>
      <div className="state" role="alert">
        <DisconnectOutlined className="state-icon" />
        <div className="state-title">{t('guard.unreachable')}</div>
        <div className="state-hint">{t('guard.unreachableHint')}</div>
        <div className="state-hint">{toFailureText(cause)}</div>
        <div className="retry-actions">
          <Button type="primary" onClick={retry} loading={isTrying} data-testid="retry">
            {t('state.retry')}
          </Button>
          <Button onClick={leave}>{t('guard.signOut')}</Button>
        </div>
      </div>
    </main>
  )
}
