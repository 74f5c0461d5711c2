import { type PointerEvent, useRef, useState } from 'react'
import {
  DAY_MINUTES,
  drawSlot,
  findSlot,
  moveSlot,
  resizeSlot,
  type Week,
  type WeekChange,
  type WeekSlot,
  weekdays,
} from './week-slots.ts'

/** The dragged part of a slot, the start position, and the week before the drag. */
type Dragged<Level> = {
  readonly week: Week<Level>
  readonly startMinute: number
  readonly startX: number
  readonly startY: number
} & (
  | { readonly kind: 'draw'; readonly day: number }
  | { readonly kind: 'move' | 'from' | 'to'; readonly slot: WeekSlot<Level> }
)

interface DragNeeds<Level> {
  readonly week: Week<Level>
  /** Level of a new slot. */
  readonly level: Level
  readonly onChoose: (slot: WeekSlot<Level> | undefined) => void
  readonly onChange: (change: WeekChange<Level>) => void
}

/** Smallest movement that counts as a drag, px. */
const MIN_DRAG_PX = 4

/** The row of the day at an element: the row itself, or the row around one of its slots. */
const findRow = (target: EventTarget | null): HTMLElement | undefined => {
  const row = target instanceof Element ? target.closest('[data-day]') : undefined
  return row instanceof HTMLElement ? row : undefined
}

const dayOf = (row: HTMLElement): number => Number(row.dataset.day)

const minuteAt = (row: HTMLElement, clientX: number): number => {
  const { left, width } = row.getBoundingClientRect()
  return ((clientX - left) / width) * DAY_MINUTES
}

/** Day with the row nearest to a vertical position. */
function dayAt(grid: Element, clientY: number): number {
  const rows = [...grid.querySelectorAll('[data-day]')].map((row) => row.getBoundingClientRect())
  const at = rows.findIndex(({ bottom }) => clientY < bottom)
  return at < 0 ? weekdays.length - 1 : at
}

/** Pointer handling for a week: draws, moves and resizes slots. Shows the change at once and reports it on release. */
export function useSlotDrag<Level>({ week, level, onChoose, onChange }: DragNeeds<Level>) {
  const drag = useRef<Dragged<Level> | undefined>(undefined)
  const [pending, setPending] = useState<WeekChange<Level>>()

  const end = () => {
    drag.current = undefined
    setPending(undefined)
  }
  const toChange = (
    event: PointerEvent<HTMLElement>,
    from: Dragged<Level>,
  ): WeekChange<Level> | undefined => {
    const isStill = Math.hypot(event.clientX - from.startX, event.clientY - from.startY) < MIN_DRAG_PX
    const row = event.currentTarget.querySelector('[data-day]')
    if (isStill || !(row instanceof HTMLElement)) return undefined
    const nowMinute = minuteAt(row, event.clientX)
    if (from.kind === 'draw') return drawSlot(from.week, { ...from, nowMinute }, level)
    if (from.kind !== 'move') return resizeSlot(from.week, from.slot, from.kind, nowMinute)
    const moved = from.slot.fromMinute + nowMinute - from.startMinute
    return moveSlot(from.week, from.slot, dayAt(event.currentTarget, event.clientY), moved)
  }

  return {
    /** The change that a release of the pointer would make now; undefined without a drag. */
    pending,
    cancel: end,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>): void {
        const row = findRow(event.target)
        if (event.button !== 0 || row === undefined) return
        const { target, clientX: startX, clientY: startY } = event
        const startMinute = minuteAt(row, startX)
        const base = { week, startMinute, startX, startY }
        const button = target instanceof Element ? target.closest('[data-from]') : undefined
        const day = dayOf(row)
        if (button instanceof HTMLElement) {
          const slot = findSlot(week, { day, fromMinute: Number(button.dataset.from) })
          if (slot === undefined) return
          const edge = target instanceof HTMLElement ? target.dataset.edge : undefined
          drag.current = { ...base, slot, kind: edge === 'from' || edge === 'to' ? edge : 'move' }
          onChoose(slot)
        } else {
          drag.current = { ...base, day, kind: 'draw' }
          onChoose(undefined)
        }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove(event: PointerEvent<HTMLElement>): void {
        if (drag.current) setPending(toChange(event, drag.current))
      },
      onPointerUp(event: PointerEvent<HTMLElement>): void {
        const change = drag.current && toChange(event, drag.current)
        end()
        if (change) onChange(change)
      },
      onPointerCancel: end,
    },
  }
}
