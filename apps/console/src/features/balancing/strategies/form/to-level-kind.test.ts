import { expect, test } from 'vitest'
import { toLevelKind } from './to-level-kind.ts'

test('full flow converts to rooms of 20 °C and back; a level of the same kind is unchanged', () => {
  const full = { kind: 'flow', share: 1 } as const
  expect(toLevelKind(full, 'flow')).toBe(full)
  expect(toLevelKind(full, 'room')).toEqual({ kind: 'room', roomC: 20 })
  expect(toLevelKind({ kind: 'room', roomC: 20 }, 'flow')).toEqual(full)
  expect(toLevelKind({ kind: 'flow', share: 0.6 }, 'room')).toEqual({ kind: 'room', roomC: 16 })
})

test('converted levels are within the bounds of the contract', () => {
  expect(toLevelKind({ kind: 'room', roomC: 5 }, 'flow')).toEqual({ kind: 'flow', share: 0 })
  expect(toLevelKind({ kind: 'room', roomC: 26 }, 'flow')).toEqual({ kind: 'flow', share: 1.5 })
  expect(toLevelKind({ kind: 'flow', share: 1.5 }, 'room')).toEqual({ kind: 'room', roomC: 25 })
})
