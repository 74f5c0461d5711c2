import type { NodeKey } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../shared/ui/states.tsx'
import { useOnlyNode } from './places/use-only-node.ts'

/** Shown instead of the map while no node has a position: how to add positions. */
export function NoPlaces({ onOpen }: { readonly onOpen: (node: NodeKey) => void }) {
  const { t } = useTranslation('map')
  const node = useOnlyNode()
  return (
    <EmptyState
      title={t('empty.title')}
      hint={t('empty.hint')}
      action={
        node && (
          <Button type="primary" onClick={() => onOpen(node.key)}>
            {t('empty.place', { name: node.label })}
          </Button>
        )
      }
    />
  )
}
