import { NO_NODE, type NodeNumber } from '@isotherm/tree/tree'
import { type KeyboardEvent, useRef } from 'react'
import { findTyped, toKeyAction } from './tree-keys.ts'
import type { TreeListProps } from './tree-list.tsx'

/** Letters typed within this time are one text, ms. */
const TYPED_TOGETHER_MS = 600

interface KeyNeeds extends Pick<TreeListProps, 'tree' | 'onOpen' | 'onChoose' | 'onCheck' | 'onEdit'> {
  /** NO_NODE while nothing has the focus. */
  readonly focused: NodeNumber
  readonly pageRows: number
  readonly moveTo: (row: number) => void
  readonly openMenu: (node: NodeNumber) => void
}

/** The keyboard handler of the tree: moves between rows and acts on the focused row. */
export function useTreeKeys(needs: KeyNeeds): (event: KeyboardEvent) => void {
  const { tree, focused, moveTo } = needs
  const typed = useRef({ text: '', at: 0 })

  function typeAhead(letter: string, index: number, at: number): void {
    const isMore = at - typed.current.at < TYPED_TOGETHER_MS
    typed.current = { text: isMore ? typed.current.text + letter : letter, at }
    const rows = tree.rows()
    const row = findTyped(typed.current.text, index, rows.count, (each) => tree.view(rows.at(each)).label)
    if (row !== undefined) moveTo(row)
  }

  return (event) => {
    const rows = tree.rows()
    const index = focused === NO_NODE ? -1 : rows.indexOf(focused)
    const node = index < 0 ? rows.at(0) : focused
    const { parent } = tree.view(node)
    const row = {
      index,
      parentIndex: parent === NO_NODE ? -1 : rows.indexOf(parent),
      branch: !tree.isLeaf(node),
      open: tree.isOpen(node),
    }
    const action = toKeyAction(event, row, { rows: rows.count, page: needs.pageRows })
    if (!action) return
    event.preventDefault()
    if (action.kind === 'move') moveTo(action.index)
    else if (action.kind === 'type') typeAhead(action.letter, Math.max(0, index), event.timeStamp)
    else if (action.kind === 'open' || action.kind === 'close') needs.onOpen(node, action.kind === 'open')
    else if (action.kind === 'choose') needs.onChoose(node)
    else if (action.kind === 'check') needs.onCheck(node, !(tree.isChecked(node) && tree.hasChosen(node)))
    else if (action.kind === 'menu') needs.openMenu(node)
    else if (action.kind === 'add' || action.kind === 'edit' || action.kind === 'remove')
      needs.onEdit?.(node, action.kind)
    else for (const each of parent === NO_NODE ? [node] : tree.children(parent)) needs.onOpen(each, true)
  }
}
