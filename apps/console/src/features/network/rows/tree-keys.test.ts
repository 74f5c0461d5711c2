import { describe, expect, test } from 'vitest'
import { type FocusedRow, findTyped, toKeyAction } from './tree-keys.ts'

const row = (change: Partial<FocusedRow> = {}): FocusedRow => ({
  index: 5,
  parentIndex: 2,
  branch: true,
  open: false,
  ...change,
})
const counts = { rows: 40, page: 20 }
const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }
const press = (key: string, change?: Partial<FocusedRow>) =>
  toKeyAction({ ...none, key }, row(change), counts)

describe('ARIA tree pattern', () => {
  test.each([
    ['ArrowDown', 6],
    ['ArrowUp', 4],
    ['Home', 0],
    ['End', 39],
    ['PageDown', 25],
    ['PageUp', 0],
  ])('%s moves to row %i', (key, index) => {
    expect(press(key)).toEqual({ kind: 'move', index })
  })

  test('moving ends at the first and the last row', () => {
    expect(press('ArrowUp', { index: 0 })).toEqual({ kind: 'move', index: 0 })
    expect(press('PageDown', { index: 35 })).toEqual({ kind: 'move', index: 39 })
  })

  test('the right arrow opens a closed node, goes into an open one and does nothing on a leaf', () => {
    expect(press('ArrowRight')).toEqual({ kind: 'open' })
    expect(press('ArrowRight', { open: true })).toEqual({ kind: 'move', index: 6 })
    expect(press('ArrowRight', { branch: false })).toBeUndefined()
  })

  test('the left arrow closes an open node and otherwise goes to the parent', () => {
    expect(press('ArrowLeft', { open: true })).toEqual({ kind: 'close' })
    expect(press('ArrowLeft')).toEqual({ kind: 'move', index: 2 })
    expect(press('ArrowLeft', { index: 0, parentIndex: -1 })).toBeUndefined()
  })

  test('Enter chooses, the space bar checks, * opens the siblings', () => {
    expect(press('Enter')).toEqual({ kind: 'choose' })
    expect(press(' ')).toEqual({ kind: 'check' })
    expect(press('*')).toEqual({ kind: 'openSiblings' })
  })

  test('the menu key and Shift+F10 open the context menu, F10 alone is the browser’s', () => {
    expect(press('ContextMenu')).toEqual({ kind: 'menu' })
    expect(toKeyAction({ ...none, shiftKey: true, key: 'F10' }, row(), counts)).toEqual({ kind: 'menu' })
    expect(press('F10')).toBeUndefined()
  })

  test('shortcuts of browser and shell are ignored', () => {
    expect(toKeyAction({ ...none, ctrlKey: true, key: 'k' }, row(), counts)).toBeUndefined()
    expect(press('Tab')).toBeUndefined()
  })
})

describe('typing ahead', () => {
  const names = ['阳光小区', 'alpha', '阳光二区', 'Beta', 'alphabet']
  const find = (typed: string, from: number) =>
    findTyped(typed, from, names.length, (index) => names[index] ?? '')

  test('one letter moves to the next row that begins with it, wrapping at the end', () => {
    expect(find('阳', 0)).toBe(2)
    expect(find('A', 4)).toBe(1)
  })

  test('further letters may stay on the row', () => {
    expect(find('alp', 1)).toBe(1)
    expect(find('alphab', 1)).toBe(4)
  })

  test('a text that no row begins with moves nothing', () => {
    expect(find('光', 0)).toBeUndefined()
  })
})
