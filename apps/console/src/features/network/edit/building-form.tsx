import { getVauser, type Vauser } from '@isotherm/contract/endpoints/network/network'
import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { addSubUser, editSubUser } from '@isotherm/contract/endpoints/network/vausers'
import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { closeTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { listAreaChanges, toAddressText } from './address-lines.ts'
import { BuildingFields } from './building-fields.tsx'
import { reportChange } from './node-changes.ts'

/** Adds a building with its units and households. */
export function BuildingAddForm({ above, guard }: { readonly above: NodeRecord; readonly guard: FormGuard }) {
  const { t } = useTranslation('network')
  return (
    <BuildingFields
      initial={{ name: '', text: '' }}
      submit={t('edit.add')}
      guard={guard}
      onSave={async ({ name, lines }) => {
        const addrlist = lines.map(({ address }) => address)
        const areas = lines.filter(({ areaM2 }) => areaM2 !== null)
        await call(addSubUser, { name, parentId: Number(above.node), addrlist, areas, test: false })
        reportChange(t('edit.added', { name }), [above.node])
      }}
      onDone={closeTreeEdit}
    />
  )
}

/** Uuid of the building of a node. */
function toUuid(node: NodeKey): string {
  const parsed = parseNodeKey(node)
  return parsed.kind === 'address' ? parsed.uuid : node
}

const toLines = ({ addrlist, areas = [] }: Vauser) => {
  const areaOf = new Map(areas.map(({ address, areaM2 }) => [address, areaM2]))
  const all = new Set([...addrlist, ...areaOf.keys()])
  return [...all].map((address) => ({ address, areaM2: areaOf.get(address) ?? null }))
}

/** Renames a building, or changes its units, households and areas. */
export function BuildingEditForm({
  record,
  guard,
}: {
  readonly record: NodeRecord
  readonly guard: FormGuard
}) {
  const { t } = useTranslation('network')
  const uuid = toUuid(record.node)
  const building = useQuery({
    queryKey: ['tree-edit', 'building', uuid],
    queryFn: async ({ signal }) => {
      const filter = [{ field: 'uuid', cond: 'eq' as const, vstd: uuid }]
      const input = { filter, limiter: { page: 1, size: 1 }, isContainArea: 1 as const }
      return (await call(getVauser, input, { signal })).datalist[0] ?? null
    },
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Answer query={building}>
      {(found) =>
        found ? <BuildingEdit found={found} guard={guard} /> : <EmptyState title={t('edit.refused')} />
      }
    </Answer>
  )
}

interface BuildingEditProps {
  readonly found: Vauser
  readonly guard: FormGuard
}

function BuildingEdit({ found, guard }: BuildingEditProps) {
  const { t } = useTranslation('network')
  // The base stays the opened building, so that a save names the version that was seen.
  const [stored] = useState(found)
  const { uuid, version, areas = [] } = stored
  const text = toAddressText(toLines(stored))
  return (
    <BuildingFields
      initial={{ name: stored.name, text }}
      submit={t('edit.save')}
      guard={guard}
      onSave={async ({ name, lines }) => {
        const addrlist = lines.map(({ address }) => address)
        const changes = [...listAreaChanges(lines, areas)]
        const saved = await call(editSubUser, { uuid, version, name, addrlist, areas: changes })
        // Removed addresses had no devices, but their grants are gone: only a new name alone can be undone.
        const isNameOnly = toAddressText(lines) === text
        const undo = () => call(editSubUser, { uuid, version: saved.version, name: stored.name, areas: [] })
        const above = stored.info.pids.split(',').at(-1)
        const changed = above === undefined ? [uuid] : [above, uuid]
        reportChange(t('edit.saved', { name }), changed, isNameOnly ? undo : undefined)
      }}
      onDone={closeTreeEdit}
    />
  )
}
