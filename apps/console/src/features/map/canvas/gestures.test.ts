import { expect, test } from 'vitest'
import { isUnshiftedPlus } from './gestures.ts'

const plain = { key: '=', ctrlKey: false, metaKey: false, altKey: false }

test('the plus key without Shift zooms in; with a modifier it is left to the browser', () => {
  expect(isUnshiftedPlus(plain)).toBe(true)
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    expect(isUnshiftedPlus({ ...plain, [modifier]: true }), modifier).toBe(false)
  expect(isUnshiftedPlus({ ...plain, key: '-' })).toBe(false)
})
