import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showEverything } from '../nodes/tree-selection.ts'
import { EmptyState } from './states.tsx'

/** Stands where data of the selected nodes would be, once these are no longer there. */
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
