import type { KeyboardEvent } from 'react'
import { STEP_MINUTES } from '../../../../shared/week/clock-text.ts'
import { moveSlot, resizeSlot, type Week, type WeekChange, type WeekSlot, weekdays } from './week-slots.ts'

const along: Readonly<Record<string, number>> = { ArrowLeft: -STEP_MINUTES, ArrowRight: STEP_MINUTES }
const across: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/**
 * Effect of a key on a slot: left and right move it, with Shift its end; up and down move it to another day; Delete
 * returns 'remove'. Undefined for other keys.
 */
export function applySlotKey<Level>(
  week: Week<Level>,
  slot: WeekSlot<Level>,
  {
    key,
    shiftKey,
    ctrlKey,
    altKey,
    metaKey,
  }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>,
): WeekChange<Level> | 'remove' | undefined {
  if (ctrlKey || altKey || metaKey) return undefined
  if (key === 'Delete' || key === 'Backspace') return 'remove'
  const minutes = along[key]
  if (minutes !== undefined)
    return shiftKey
      ? resizeSlot(week, slot, 'to', slot.toMinute + minutes)
      : moveSlot(week, slot, slot.day, slot.fromMinute + minutes)
  const days = across[key]
  if (days === undefined || shiftKey) return undefined
  const day = slot.day + days
  return weekdays.some((each) => each === day) ? moveSlot(week, slot, day, slot.fromMinute) : { week, slot }
}
