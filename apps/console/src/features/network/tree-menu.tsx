import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { Dropdown, type MenuProps } from 'antd'
import { createElement, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { PageDefinition } from '../../shared/page.ts'
import { showNotice } from '../../shared/ui/notices.ts'
import { isPart } from './node-parts.ts'
import {
  checkOnly,
  closeBelow,
  copyAddress,
  loadRest,
  openBelow,
  reloadNode,
  selectOnly,
  uncheckAll,
} from './tree-actions.ts'
import type { MenuPlace } from './tree-list.tsx'

/** A node whose menu is open, and where. */
export interface OpenTreeMenu {
  readonly node: NodeNumber
  readonly place: MenuPlace
}

interface TreeMenuProps {
  readonly tree: Tree
  readonly open: OpenTreeMenu
  /** Permitted pages that offer themselves for a node. */
  readonly nodePages: readonly PageDefinition[]
  readonly onClose: () => void
}

function useItems({ tree, open: { node }, nodePages, onClose }: TreeMenuProps): MenuProps['items'] {
  const { t } = useTranslation('network')
  const { t: tAll } = useTranslation()
  const navigate = useNavigate()
  const item = (key: string, label: string, act: () => void, disabled = false) => ({
    key,
    label,
    disabled,
    onClick: () => {
      onClose()
      act()
    },
  })
  const copy = () => {
    copyAddress(node).then(
      () => showNotice('success', t('menu.copied')),
      (error: unknown) => {
        console.error(error)
        showNotice('warning', t('menu.notCopied'))
      },
    )
  }
  const openPage = (page: PageDefinition) => () => {
    selectOnly(node)
    void navigate(page.path)
  }
  const pages = nodePages.flatMap((page) => {
    const text = page.nodeAction?.(tAll)
    if (text === undefined) return []
    const icon = page.icon ? { icon: createElement(page.icon) } : {}
    return [{ ...item(page.path, text, openPage(page)), ...icon }]
  })
  const isLeaf = tree.isLeaf(node)
  const line = (key: string) => ({ key, type: 'divider' as const })
  return [
    ...pages,
    ...(pages.length > 0 ? [line('pages')] : []),
    item('check-only', t('menu.checkOnly'), () => checkOnly(node)),
    item('uncheck-all', t('menu.uncheckAll'), uncheckAll, tree.checked().length === 0),
    line('checks'),
    item('open-below', t('menu.openBelow'), () => openBelow(node), isLeaf),
    item('close-below', t('menu.closeBelow'), () => closeBelow(node), isLeaf || !tree.isExpanded(node)),
    ...(isPart(tree, node) ? [item('rest', t('loadRest'), () => loadRest(node))] : []),
    item('reload', t('menu.reload'), () => reloadNode(node)),
    line('load'),
    item('copy', t('menu.copy'), copy, node === 0),
  ]
}

/** The menu of one node, where it was asked for; Escape or a click elsewhere closes it. */
export function TreeMenu(props: TreeMenuProps): ReactNode {
  const { open, onClose } = props
  const items = useItems(props)
  useEffect(() => {
    window.addEventListener('blur', onClose)
    return () => window.removeEventListener('blur', onClose)
  }, [onClose])
  return (
    <Dropdown
      key={`${open.node} ${open.place.leftPx} ${open.place.topPx}`}
      open
      autoFocus
      trigger={['click']}
      menu={{ items: items ?? [], className: 'tree-menu' }}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <span className="tree-menu-place" style={{ left: open.place.leftPx, top: open.place.topPx }} />
    </Dropdown>
  )
}
