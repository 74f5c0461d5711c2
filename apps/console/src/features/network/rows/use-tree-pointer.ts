import type { NodeNumber } from '@isotherm/tree/tree'
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { MenuPlace } from '../../../shared/ui/menu-at.tsx'
import { toNestaddr } from '../load/describe-node.ts'
import type { TreeListProps } from './tree-list.tsx'

/** A touch of this length opens the menu, unless it moved further than STILL_PX. */
const LONG_PRESS_MS = 500
const STILL_PX = 10

interface PointerNeeds
  extends Pick<TreeListProps, 'tree' | 'onOpen' | 'onChoose' | 'onCheck' | 'onLoadRest'> {
  readonly focusOn: (node: NodeNumber) => void
  readonly openMenu: (node: NodeNumber, place: MenuPlace) => void
}

interface Touched {
  readonly row: HTMLElement
  readonly node: NodeNumber
  readonly part: string | undefined
}

/** The row under the pointer, and its part. */
export function findTouched(target: EventTarget): Touched | undefined {
  if (!(target instanceof Element)) return undefined
  const row = target.closest('[data-node]')
  if (!(row instanceof HTMLElement)) return undefined
  const part = target.closest('[data-part]')
  return {
    row,
    node: Number(row.dataset.node),
    part: part instanceof HTMLElement ? part.dataset.part : undefined,
  }
}

const toPlace = (event: MouseEvent): MenuPlace => ({ leftPx: event.clientX, topPx: event.clientY })

/** The mouse and touch handlers of the tree, one set for all rows. */
export function useTreePointer(needs: PointerNeeds) {
  const { tree } = needs
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | undefined>(undefined)
  /** True after a long press opened the menu: the following click is ignored. */
  const ignoreClick = useRef(false)

  const endPress = (): void => {
    clearTimeout(press.current?.timer)
    press.current = undefined
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])

  return {
    onClick(event: MouseEvent): void {
      const touched = findTouched(event.target)
      if (!touched || ignoreClick.current) {
        ignoreClick.current = false
        return
      }
      const { node, part } = touched
      needs.focusOn(node)
      if (part === 'toggle' && !tree.isLeaf(node)) needs.onOpen(node, !tree.isOpen(node))
      else if (part === 'check') needs.onCheck(node, !(tree.isChecked(node) && tree.hasChosen(node)))
      else if (part === 'rest') needs.onLoadRest?.(node)
      else if (part === 'menu') needs.openMenu(node, toPlace(event))
      else needs.onChoose(node)
    },
    onDoubleClick(event: MouseEvent): void {
      const touched = findTouched(event.target)
      if (touched?.part === undefined && touched && !tree.isLeaf(touched.node))
        needs.onOpen(touched.node, true)
    },
    onContextMenu(event: MouseEvent): void {
      const touched = findTouched(event.target)
      if (!touched) return
      event.preventDefault()
      endPress()
      needs.focusOn(touched.node)
      needs.openMenu(touched.node, toPlace(event))
    },
    onMouseOver(event: MouseEvent): void {
      const touched = findTouched(event.target)
      if (touched) touched.row.title = toNestaddr(tree, touched.node) ?? ''
    },
    onPointerDown(event: PointerEvent): void {
      ignoreClick.current = false
      const touched = findTouched(event.target)
      // The tree has the focus, never a row, because rows are removed from the document when they scroll away.
      if (touched && event.currentTarget instanceof HTMLElement)
        event.currentTarget.focus({ preventScroll: true })
      if (event.pointerType !== 'touch' || !touched) return
      const place = toPlace(event)
      const timer = setTimeout(() => {
        ignoreClick.current = true
        needs.focusOn(touched.node)
        needs.openMenu(touched.node, place)
      }, LONG_PRESS_MS)
      press.current = { timer, x: event.clientX, y: event.clientY }
    },
    onPointerMove(event: PointerEvent): void {
      const { current } = press
      if (current && Math.hypot(event.clientX - current.x, event.clientY - current.y) > STILL_PX) endPress()
    },
    onPointerUp: endPress,
    onPointerCancel: endPress,
  }
}
