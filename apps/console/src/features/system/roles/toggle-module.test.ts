import { expect, test } from 'vitest'
import { toggleModule } from './toggle-module.ts'

const modules = [
  { id: 1, parentId: null },
  { id: 2, parentId: 1 },
  { id: 3, parentId: 1 },
  { id: 9, parentId: null },
]
const toggle = (chosen: readonly number[], id: number, isOn: boolean, mayGive = (_: number) => true) =>
  [...toggleModule(modules, new Set(chosen), { id, isOn, mayGive })].sort()

test('a page comes with its group, without which it would not be shown', () => {
  expect(toggle([], 2, true)).toEqual([1, 2])
  expect(toggle([9], 9, false)).toEqual([])
})

test('a group comes and goes with its pages', () => {
  expect(toggle([9], 1, true)).toEqual([1, 2, 3, 9])
  expect(toggle([1, 2, 3, 9], 1, false)).toEqual([9])
})

test('a group goes with its last page', () => {
  expect(toggle([1, 2, 3], 2, false)).toEqual([1, 3])
  expect(toggle([1, 3], 3, false)).toEqual([])
})

test('modules that the user may not give are left out', () => {
  expect(toggle([], 1, true, (id) => id !== 3)).toEqual([1, 2])
})
