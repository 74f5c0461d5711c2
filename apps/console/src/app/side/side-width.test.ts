import { expect, test } from 'vitest'
import { moveByKey, readSideWidth, storeSideWidth, toSideWidth } from './side-width.ts'

function toStore() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
}

test('§9 Tree panel and sidebar width: 280px, until the user chooses another width', () => {
  const store = toStore()
  expect(readSideWidth(store, 7)).toBe(280)
  storeSideWidth(store, 7, 333)
  expect(readSideWidth(store, 7)).toBe(333)
  expect(readSideWidth(store, 8)).toBe(280)
})

test('the width of the panel has a minimum and a maximum', () => {
  expect([toSideWidth(10), toSideWidth(5000), toSideWidth(300.4), toSideWidth(Number.NaN)]).toEqual([
    200, 640, 300, 280,
  ])
})

test('the separator moves by the keys of the ARIA pattern', () => {
  expect(moveByKey(280, 'ArrowLeft')).toBe(264)
  expect(moveByKey(280, 'ArrowRight')).toBe(296)
  expect(moveByKey(280, 'Home')).toBe(200)
  expect(moveByKey(280, 'End')).toBe(640)
  expect(moveByKey(400, 'Enter')).toBe(280)
  expect(moveByKey(280, 'a')).toBeUndefined()
})
