import { LockOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import './fallback.css'
import { EmptyState } from '../../shared/ui/states.tsx'
import { type NotFoundPlace, useNotFoundPlace } from '../guard/not-found-place.ts'
import { useTitles } from '../state/use-titles.ts'

function useModuleName({ group, page }: NotFoundPlace): string | undefined {
  const titles = useTitles()
  const names = [group && titles.ofGroup(group), page && titles.ofPage(page)].filter(
    (name) => name !== undefined,
  )
  return names.length > 0 ? names.join(' / ') : undefined
}

function Home(): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  return (
    <Button type="primary" className="missed-home" onClick={() => navigate('/')}>
      {t('notFound.home')}
    </Button>
  )
}

/** Page /404. Names the requested address and, for an existing page, the permission module that the user does not have. */
export function NotFoundPage(): ReactNode {
  const { t } = useTranslation('common')
  const missed = useNotFoundPlace()
  const module = useModuleName(missed)
  const requested =
    missed.address === undefined ? undefined : t('notFound.opened', { address: missed.address })
  if (module === undefined) {
    const hint = (
      <>
        {requested && <div className="missed-address">{requested}</div>}
        {t('notFound.hint')}
      </>
    )
    return <EmptyState title={t('notFound.title')} hint={hint} action={<Home />} />
  }
  return (
    <div className="state" data-testid="lacking-module">
      <LockOutlined className="state-icon" />
      <div className="state-title">{t('notFound.lacking', { module })}</div>
      <div className="state-hint">
        <div className="missed-address">{requested}</div>
        {t('notFound.askWhom')}
      </div>
      <Home />
    </div>
  )
}
