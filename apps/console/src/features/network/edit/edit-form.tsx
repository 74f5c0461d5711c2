import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { BuildingEditForm } from './building-form.tsx'
import { GroupEditForm } from './group-form.tsx'
import { ProjectEditForm } from './project-form.tsx'

/** Edits a node. Units and households are edited with their building. */
export function EditForm({ record, guard }: { readonly record: NodeRecord; readonly guard: FormGuard }) {
  if (record.nodetype === 'project') return <ProjectEditForm record={record} guard={guard} />
  if (record.nodetype === 'group') return <GroupEditForm record={record} guard={guard} />
  return <BuildingEditForm record={record} guard={guard} />
}
