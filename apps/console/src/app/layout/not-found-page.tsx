import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { EmptyState } from '../../shared/ui/states.tsx'

/** /404: also where a page leads that the user may not see. */
export function NotFoundPage(): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  return (
    <EmptyState
      title={t('notFound.title')}
      hint={t('notFound.hint')}
      action={
        <Button type="primary" onClick={() => navigate('/')}>
          {t('notFound.home')}
        </Button>
      }
    />
  )
}
