import type { NodeKey } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../shared/ui/states.tsx'
import { useOnlyNode } from './places/use-only-node.ts'

/** Stands where the map would be while nothing has a position: how it comes to one. */
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
