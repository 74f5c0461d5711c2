import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { type DragEvent, useRef } from 'react'
import { canHold } from '../edit/can-hold.ts'
import { isPlacedKey } from '../lists/node-keys.ts'
import { toNodeType } from '../lists/node-kinds.ts'
import { findTouched } from './use-tree-pointer.ts'

const OVER = 'tree-row-over'

const placeOf = (tree: Tree, node: NodeNumber) => {
  const { kind, level } = tree.view(node)
  const type = toNodeType(kind)
  return type === 'root' ? undefined : { nodetype: type, level }
}

/** Whether a row can be dragged: a group, or a building except the shown copies of the test-marked one. */
export function isMovable(tree: Tree, node: NodeNumber): boolean {
  const { key, kind } = tree.view(node)
  const type = toNodeType(kind)
  return type === 'group' || (type === 'user' && !isPlacedKey(key))
}

/** Whether a dragged node can be dropped on another one. */
export function canDrop(tree: Tree, dragged: NodeNumber, target: NodeNumber): boolean {
  const [moved, parent] = [placeOf(tree, dragged), placeOf(tree, target)]
  if (!moved || !parent || tree.view(dragged).parent === target) return false
  return canHold(parent, moved) && !tree.chain(target).includes(dragged)
}

interface DragNeeds {
  readonly tree: Tree
  readonly onMove?: ((node: NodeNumber, target: NodeNumber) => void) | undefined
}

/** The drag handlers of the tree, one set for all rows: a group or building is dropped on its new parent. */
export function useTreeDrag({ tree, onMove }: DragNeeds) {
  /** Key of the dragged node, because its number may be reused during the drag. */
  const dragged = useRef<string | undefined>(undefined)
  const over = useRef<HTMLElement | undefined>(undefined)
  const mark = (row: HTMLElement | undefined): void => {
    if (row === over.current) return
    over.current?.classList.remove(OVER)
    row?.classList.add(OVER)
    over.current = row
  }
  const findTarget = (event: DragEvent) => {
    const node = dragged.current === undefined ? undefined : tree.find(dragged.current)
    const touched = findTouched(event.target)
    if (node === undefined || !touched || !canDrop(tree, node, touched.node)) return undefined
    return { node, target: touched.node, row: touched.row }
  }
  const end = (): void => {
    mark(undefined)
    dragged.current = undefined
  }
  if (!onMove) return {}
  return {
    onDragStart(event: DragEvent): void {
      const touched = findTouched(event.target)
      if (!touched) return
      const { key, label } = tree.view(touched.node)
      dragged.current = key
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', label)
    },
    onDragOver(event: DragEvent): void {
      const found = findTarget(event)
      if (found) event.preventDefault()
      mark(found?.row)
    },
    onDragLeave: () => mark(undefined),
    onDrop(event: DragEvent): void {
      const found = findTarget(event)
      end()
      if (!found) return
      event.preventDefault()
      onMove(found.node, found.target)
    },
    onDragEnd: end,
  }
}
