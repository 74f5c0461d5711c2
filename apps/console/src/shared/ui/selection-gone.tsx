import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showEverything } from '../nodes/tree-selection.ts'
import { EmptyState } from './states.tsx'

/** Replaces the data of a page when the selected nodes no longer exist. */
export function SelectionGone(): ReactNode {
  const { t } = useTranslation('common')
  return (
    <div data-testid="selection-gone" role="status">
      <EmptyState
        title={t('selection.gone')}
        hint={t('selection.goneHint')}
        action={<Button onClick={showEverything}>{t('selection.showAll')}</Button>}
      />
    </div>
  )
}
