import { unregisteredMessage } from '@isotherm/contract/mqtt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStrangerBook } from './stranger-book.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function open() {
  const sent: { readonly line?: string | undefined; readonly address: string; readonly n: number }[][] = []
  const link = { isConnected: true }
  const book = createStrangerBook({
    now: Date.now,
    isConnected: () => link.isConnected,
    publish: async (_channel, payload) => {
      sent.push(unregisteredMessage.parse(JSON.parse(payload)).d)
    },
  })
  return { sent, link, book }
}

test('a device that speaks often is one entry with its last words, at most every half minute', () => {
  const { sent, book } = open()
  for (const hex of ['01', '02', '03']) book.add({ line: 'L1', address: 'a', hex })
  vi.advanceTimersByTime(1_000)
  expect(sent).toEqual([[expect.objectContaining({ line: 'L1', address: 'a', hex: '03', n: 3 })]])
  book.add({ line: 'L1', address: 'a', hex: '04' })
  vi.advanceTimersByTime(29_000)
  expect(sent).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(sent[1]).toMatchObject([{ hex: '04', n: 1 }])
})

test('the number of devices and the size of a message are bounded', () => {
  const { sent, book } = open()
  for (let at = 0; at < 600; at++) book.add({ address: `unit-${at}`, hex: '00'.repeat(512) })
  vi.advanceTimersByTime(3_600_000)
  expect(sent.flat()).toHaveLength(500)
  for (const entries of sent) expect(JSON.stringify(entries).length).toBeLessThan(60_000)
})

test('nothing is lost while the broker is away, and what a new configuration knows is forgotten', () => {
  const { sent, link, book } = open()
  link.isConnected = false
  book.add({ address: 'unit-1' })
  vi.advanceTimersByTime(60_000)
  expect(sent).toEqual([])
  link.isConnected = true
  vi.advanceTimersByTime(30_000)
  expect(sent).toHaveLength(1)
  book.add({ address: 'unit-2' })
  book.clear()
  vi.advanceTimersByTime(60_000)
  expect(sent).toHaveLength(1)
})
