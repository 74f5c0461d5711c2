import { describe, expect, test } from 'vitest'
import { applySlotKey } from './slot-keys.ts'

const plain = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false }
const slot = { day: 2, fromMinute: 360, toMinute: 480, level: 1 }
const week = [slot, { day: 2, fromMinute: 540, toMinute: 600, level: 2 }]
const press = (key: string, part: Partial<typeof plain> = {}) =>
  applySlotKey(week, slot, { ...plain, key, ...part })
const moved = (change: ReturnType<typeof press>) => typeof change === 'object' && change.slot

describe('the keys of a slot', () => {
  test('move it by a quarter of an hour, and its end with Shift, up to its neighbour', () => {
    expect(moved(press('ArrowLeft'))).toMatchObject({ fromMinute: 345, toMinute: 465 })
    expect(moved(press('ArrowRight'))).toMatchObject({ fromMinute: 375, toMinute: 495 })
    expect(moved(press('ArrowRight', { shiftKey: true }))).toMatchObject({ fromMinute: 360, toMinute: 495 })
    const long = { ...slot, toMinute: 540 }
    const full = [long, ...week.slice(1)]
    expect(applySlotKey(full, long, { ...plain, key: 'ArrowRight', shiftKey: true })).toEqual({
      week: full,
      slot: long,
    })
  })

  test('move it to the day before or after, and no further than the week', () => {
    expect(moved(press('ArrowUp'))).toMatchObject({ day: 1, fromMinute: 360 })
    expect(moved(press('ArrowDown'))).toMatchObject({ day: 3, fromMinute: 360 })
    const sunday = { ...slot, day: 6 }
    expect(applySlotKey([sunday], sunday, { ...plain, key: 'ArrowDown' })).toEqual({
      week: [sunday],
      slot: sunday,
    })
  })

  test('Delete removes it, and other keys are left to the browser', () => {
    expect(press('Delete')).toBe('remove')
    expect(press('Backspace')).toBe('remove')
    expect(press('ArrowLeft', { altKey: true })).toBeUndefined()
    expect(press('a')).toBeUndefined()
  })
})
