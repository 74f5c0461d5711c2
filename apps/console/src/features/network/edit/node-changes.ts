import { deleteDevGroups, editDevGroup } from '@isotherm/contract/endpoints/network/groups'
import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { deleteProject } from '@isotherm/contract/endpoints/network/projects'
import { deleteVauser, editSubUser } from '@isotherm/contract/endpoints/network/vausers'
import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { call } from '../../../shared/api/client.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { showActionNotice, showNotice } from '../../../shared/notices/notices.ts'
import { noteChanged } from '../session/tree-actions.ts'

/** Key of the node that lists a record among its children. */
export const toAbove = ({ parent }: Pick<NodeRecord, 'parent'>): NodeKey => parent ?? ROOT_KEY

type Moved = Pick<NodeRecord, 'node' | 'nodetype' | 'version'>

/** Moves a group or building below a project or group. Returns the new version. */
export async function moveNode({ node, nodetype, version }: Moved, parent: NodeKey): Promise<number> {
  const parentId = Number(parent)
  const moved =
    nodetype === 'user'
      ? await call(editSubUser, { uuid: node, version, parentId, areas: [] })
      : await call(editDevGroup, { id: Number(node), version, parentId })
  return moved.version
}

/** Removes an empty project or group, or a building without devices. */
export async function removeNode({ node, nodetype, version }: Moved): Promise<void> {
  if (nodetype === 'user') await call(deleteVauser, { uuid: node, version })
  else if (nodetype === 'project') await call(deleteProject, { id: Number(node), version })
  else await call(deleteDevGroups, { items: [{ id: Number(node), version }] })
}

/**
 * Reports a change of the tree with a button that undoes it, and loads what changed. If another user has changed the node
 * meanwhile, the server refuses to undo it and the refusal is shown.
 */
export function reportChange(text: string, changed: readonly NodeKey[], undo?: () => Promise<unknown>): void {
  noteChanged(changed)
  if (!undo) {
    showNotice('success', text)
    return
  }
  const act = () => {
    undo().then(
      () => {
        noteChanged(changed)
        showNotice('success', i18n.t('edit.undone', { ns: 'network' }))
      },
      (error: unknown) => console.warn('the change was not undone', error),
    )
  }
  showActionNotice(text, { label: i18n.t('edit.undo', { ns: 'network' }), act })
}
