import { ROOT_KEY } from '@isotherm/contract/tree'
import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { useQueries } from '@tanstack/react-query'
import type { MenuProps } from 'antd'
import { createElement, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { NodeAction } from '../../../shared/nodes/node-action.ts'
import { type EditKind, openTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import type { PageDefinition } from '../../../shared/page.ts'
import { MenuAt, type MenuPlace } from '../../../shared/ui/menu-at.tsx'
import { isPart } from '../lists/node-parts.ts'
import { toSelected } from '../load/describe-node.ts'
import {
  checkOnly,
  closeBelow,
  copyAddress,
  copyFields,
  loadRest,
  openBelow,
  refreshNode,
  selectOnly,
  uncheckAll,
} from '../session/tree-actions.ts'
import { useEditKinds } from './use-edit-kinds.ts'

/** A node whose menu is open, and where. */
export interface OpenTreeMenu {
  /** The key, because the number of a node may be reused while the menu is open. */
  readonly nodeKey: string
  readonly place: MenuPlace
}

interface TreeMenuProps {
  readonly tree: Tree
  readonly open: OpenTreeMenu
  /** Permitted pages that may be opened for a node. */
  readonly nodePages: readonly PageDefinition[]
  /** Actions of other features on a node. */
  readonly nodeActions: readonly NodeAction[]
  readonly toPageTarget: (path: string) => string
  readonly onClose: () => void
}

const noActions: readonly NodeAction[] = []

/** Keys that open the same dialogs (rows/tree-keys.ts). */
const editKeys: Readonly<Partial<Record<EditKind, string>>> = { add: 'Insert', edit: 'F2', remove: 'Delete' }
function useItems(
  { tree, nodePages, nodeActions, toPageTarget, onClose }: TreeMenuProps,
  toNode: () => NodeNumber | undefined,
): MenuProps['items'] {
  const { t } = useTranslation('network')
  const { t: tAll } = useTranslation()
  const navigate = useNavigate()
  const node = toNode()
  const nodeKey = node === undefined ? ROOT_KEY : toSelected(tree, node).key
  // Actions of other features do not apply to the root.
  const offered = nodeKey === ROOT_KEY ? noActions : nodeActions
  const abilities = useQueries({ queries: offered.map(({ ability }) => ability(nodeKey)) })
  const { kinds, isKnown } = useEditKinds(nodeKey)
  if (node === undefined) return []
  const item = (key: string, label: string, act: (node: NodeNumber) => void, disabled = false) => ({
    key,
    label,
    disabled,
    onClick: () => {
      onClose()
      const now = toNode()
      if (now !== undefined) act(now)
    },
  })
  const copy = (take: (node: NodeNumber) => Promise<void>) => (now: NodeNumber) => {
    take(now).then(
      () => showNotice('success', t('menu.copied')),
      (error: unknown) => {
        console.error(error)
        showNotice('warning', t('menu.notCopied'))
      },
    )
  }
  const openPage = (page: PageDefinition) => (now: NodeNumber) => {
    selectOnly(now)
    void navigate(toPageTarget(page.path))
  }
  const pages = nodePages.flatMap((page) => {
    const text = page.nodeAction?.(tAll)
    if (text === undefined) return []
    const icon = page.icon ? { icon: createElement(page.icon) } : {}
    return [{ ...item(page.path, text, openPage(page)), ...icon }]
  })
  const actions = offered.flatMap((action, index) => {
    const isAble = abilities[index]?.data
    if (isAble === false) return []
    const act = (now: NodeNumber) => action.act(toSelected(tree, now))
    return [{ ...item(action.key, action.title(tAll), act, !isAble), icon: createElement(action.icon) }]
  })
  const edits = kinds.map((kind) => {
    const open = (now: NodeNumber) => {
      const { key, label } = toSelected(tree, now)
      openTreeEdit({ kind, node: key, name: label || t('root') })
    }
    return { ...item(`edit-${kind}`, t(`edit.menu.${kind}`), open, !isKnown), extra: editKeys[kind] }
  })
  const isLeaf = tree.isLeaf(node)
  const line = (key: string) => ({ key, type: 'divider' as const })
  return [
    ...pages,
    ...actions,
    ...(pages.length > 0 || actions.length > 0 ? [line('pages')] : []),
    ...(edits.length > 0 ? [...edits, line('edits')] : []),
    item('check-only', t('menu.checkOnly'), checkOnly),
    item('uncheck-all', t('menu.uncheckAll'), uncheckAll, tree.checked().length === 0),
    line('checks'),
    item('open-below', t('menu.openBelow'), openBelow, isLeaf),
    item('close-below', t('menu.closeBelow'), closeBelow, isLeaf || !tree.isExpanded(node)),
    ...(isPart(tree, node) ? [item('rest', t('loadRest'), loadRest)] : []),
    item('reload', t('menu.reload'), (now) => refreshNode(now)),
    item('reload-parent', t('menu.reloadParent'), (now) => refreshNode(now, true), node === ROOT_NODE),
    line('load'),
    item('copy', t('menu.copy'), copy(copyAddress), node === ROOT_NODE),
    item('copy-fields', t('menu.copyFields'), copy(copyFields)),
  ]
}

/** The menu of one node. It closes when the node is removed. */
export function TreeMenu(props: TreeMenuProps): ReactNode {
  const { tree, open, onClose } = props
  const toNode = () => tree.find(open.nodeKey)
  const isGone = useSyncExternalStore(tree.subscribe, () => toNode() === undefined)
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  return <MenuAt of={open.nodeKey} place={open.place} items={useItems(props, toNode)} onClose={onClose} />
}
