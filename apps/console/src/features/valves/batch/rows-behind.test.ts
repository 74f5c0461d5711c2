import { expect, test } from 'vitest'
import { areBehind } from './rows-behind.ts'

const settled = { state: 'confirmed' } as const

test('rows are behind as long as one of them is not settled', () => {
  expect(areBehind({ datalist: [settled, { state: 'done' }], total: 2 }, 2)).toBe(true)
  expect(areBehind({ datalist: [settled, settled], total: 2 }, 2)).toBe(false)
})

test('rows are behind when the last command settled into their group after they were asked for', () => {
  expect(areBehind({ datalist: [settled], total: 1 }, 2)).toBe(true)
  expect(areBehind({ datalist: [], total: 0 }, 1)).toBe(true)
})

test('a page of a group is not behind for the commands on its other pages', () => {
  expect(areBehind({ datalist: [settled], total: 250 }, 250)).toBe(false)
})
