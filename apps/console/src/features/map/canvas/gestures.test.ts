import { expect, test } from 'vitest'
import { isPlus } from './gestures.ts'

const plain = { key: '=', ctrlKey: false, metaKey: false, altKey: false }

test('the plus key zooms in; with a modifier it is left to the browser', () => {
  expect(isPlus(plain)).toBe(true)
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    expect(isPlus({ ...plain, [modifier]: true }), modifier).toBe(false)
  expect(isPlus({ ...plain, key: '-' })).toBe(false)
})
