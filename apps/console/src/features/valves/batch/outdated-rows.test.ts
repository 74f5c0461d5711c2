import { expect, test } from 'vitest'
import { areOutdated } from './outdated-rows.ts'

const settled = { state: 'confirmed' } as const

test('rows are outdated while one of them is not settled', () => {
  expect(areOutdated({ datalist: [settled, { state: 'done' }], total: 2 }, 2)).toBe(true)
  expect(areOutdated({ datalist: [settled, settled], total: 2 }, 2)).toBe(false)
})

test('rows are outdated when a command settled into their group after they were fetched', () => {
  expect(areOutdated({ datalist: [settled], total: 1 }, 2)).toBe(true)
  expect(areOutdated({ datalist: [], total: 0 }, 1)).toBe(true)
})

test('a page is not outdated because of commands on other pages', () => {
  expect(areOutdated({ datalist: [settled], total: 250 }, 250)).toBe(false)
})
