import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageWindow, SeqSet, WINDOW_MS } from './message-window.ts'

test('a set of numbers holds what was added, in ranges that never touch', () => {
  const small = fc.integer({ min: 0, max: 60 })
  fc.assert(
    fc.property(fc.array(fc.tuple(small, fc.integer({ min: 0, max: 4 }))), (additions) => {
      const set = new SeqSet()
      const plain = new Set<number>()
      for (const [first, extra] of additions) {
        set.add(first, first + extra)
        for (let seq = first; seq <= first + extra; seq++) plain.add(seq)
      }
      for (let seq = 0; seq <= 66; seq++) expect(set.has(seq)).toBe(plain.has(seq))
      for (const [index, range] of set.ranges.entries()) {
        expect(range.first).toBeGreaterThan((set.ranges[index - 1]?.last ?? -2) + 1)
      }
    }),
  )
})

test('a message is known by node, boot and number together', () => {
  const window = new MessageWindow()
  window.add({ node: 1, boot: 2, seq: 3 }, 0)
  expect(window.has({ node: 1, boot: 2, seq: 3 })).toBe(true)
  expect(window.has({ node: 1, boot: 3, seq: 3 })).toBe(false)
  expect(window.has({ node: 2, boot: 2, seq: 3 })).toBe(false)
})

test('the watermark stops at the first gap and moves on when it is filled', () => {
  const window = new MessageWindow()
  for (const seq of [0, 1, 3, 4]) window.add({ node: 1, boot: 1, seq }, 0)
  expect(window.watermark(1, 1)).toBe(1)
  window.add({ node: 1, boot: 1, seq: 2 }, 0)
  expect(window.watermark(1, 1)).toBe(4)
})

test('a boot silent for longer than the window is forgotten, a busy one is not', () => {
  const window = new MessageWindow()
  window.add({ node: 1, boot: 1, seq: 0 }, 0)
  window.add({ node: 1, boot: 2, seq: 0 }, WINDOW_MS)
  window.prune(WINDOW_MS + 1)
  expect(window.has({ node: 1, boot: 1, seq: 0 })).toBe(false)
  expect(window.has({ node: 1, boot: 2, seq: 0 })).toBe(true)
})
