import { getVauser } from '@isotherm/contract/endpoints/network/network'
import { useQuery } from '@tanstack/react-query'
import { Spin } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { SelectedNode } from '../../../shared/nodes/tree-selection.ts'
import { EmptyState, ErrorState } from '../../../shared/ui/states.tsx'
import type { Label } from './label-sheet.tsx'
import LabelsDialog from './labels-dialog.tsx'
import { closePlaceLabels, usePlaceLabels } from './place-labels-store.ts'
import { findBuilding, toPlaceLabels } from './to-label.ts'

const nothing: readonly Label[] = []

async function loadLabels(node: SelectedNode | undefined, signal: AbortSignal): Promise<readonly Label[]> {
  if (!node) return nothing
  const uuid = findBuilding(node.key)?.uuid ?? ''
  const filter = [{ field: 'uuid', cond: 'eq' as const, vstd: uuid }]
  const { datalist } = await call(getVauser, { filter }, { signal, quiet: true })
  return datalist.flatMap((building) => toPlaceLabels(node, building))
}

/** Labels of the households of a building or unit. */
export default function PlaceLabelsDialog(): ReactNode {
  const { t } = useTranslation('devices')
  const node = usePlaceLabels((state) => state.node)
  const query = useQuery({
    queryKey: ['place-labels', 'list', node?.key, node?.nestaddr],
    queryFn: ({ signal }) => loadLabels(node, signal),
    enabled: node !== undefined,
  })
  const { data: labels = nothing, error, isPending } = query
  return (
    <LabelsDialog
      isOpen={node !== undefined}
      title={t('labels.places.title', { name: node?.label ?? '', count: labels.length })}
      means={t('labels.places.means')}
      labels={labels}
      onClose={closePlaceLabels}
    >
      {isPending && <Spin />}
      {error && <ErrorState error={error} onRetry={() => void query.refetch()} />}
      {!isPending && !error && labels.length === 0 && <EmptyState title={t('labels.places.none')} />}
    </LabelsDialog>
  )
}
