import { unregisteredMessage } from '@isotherm/contract/mqtt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUnknownDeviceReporter } from './unknown-device-reporter.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function open() {
  const sent: { readonly line?: string | undefined; readonly address: string; readonly n: number }[][] = []
  const link = { isConnected: true }
  const reporter = createUnknownDeviceReporter({
    now: Date.now,
    isConnected: () => link.isConnected,
    publish: async (_channel, payload) => {
      sent.push(unregisteredMessage.parse(JSON.parse(payload)).d)
    },
  })
  return { sent, link, reporter }
}

test('a device that speaks often is one entry with its last words, at most every half minute', () => {
  const { sent, reporter } = open()
  for (const hex of ['01', '02', '03']) reporter.add({ line: 'L1', address: 'a', hex })
  vi.advanceTimersByTime(1_000)
  expect(sent).toEqual([[expect.objectContaining({ line: 'L1', address: 'a', hex: '03', n: 3 })]])
  reporter.add({ line: 'L1', address: 'a', hex: '04' })
  vi.advanceTimersByTime(29_000)
  expect(sent).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(sent[1]).toMatchObject([{ hex: '04', n: 1 }])
})

test('the number of devices and the size of a message are bounded', () => {
  const { sent, reporter } = open()
  for (let at = 0; at < 600; at++) reporter.add({ address: `unit-${at}`, hex: '00'.repeat(512) })
  vi.advanceTimersByTime(3_600_000)
  expect(sent.flat()).toHaveLength(500)
  for (const entries of sent) expect(JSON.stringify(entries).length).toBeLessThan(60_000)
})

test('texts of other scripts count their bytes, and what the server would refuse is left out', () => {
  const { sent, reporter } = open()
  const p = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`p${at}`, '温'.repeat(1_000)]))
  for (let at = 0; at < 6; at++) reporter.add({ address: `meter-${at}`, p })
  reporter.add({
    address: 'long',
    p: Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`p${at}`, '温'.repeat(1_000)])),
  })
  reporter.add({ address: 'frame', hex: '00'.repeat(600) })
  reporter.add({ address: '' })
  vi.advanceTimersByTime(3_600_000)
  expect(
    sent
      .flat()
      .map(({ address }) => address)
      .sort(),
  ).toEqual(['frame', 'long', ...Array.from({ length: 6 }, (_, at) => `meter-${at}`)])
  for (const entries of sent) expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThan(60_000)
  expect(sent.flat().find(({ address }) => address === 'frame')).not.toHaveProperty('hex')
})

test('nothing is lost while the broker is away, and what a new configuration knows is forgotten', () => {
  const { sent, link, reporter } = open()
  link.isConnected = false
  reporter.add({ address: 'unit-1' })
  vi.advanceTimersByTime(60_000)
  expect(sent).toEqual([])
  link.isConnected = true
  vi.advanceTimersByTime(30_000)
  expect(sent).toHaveLength(1)
  reporter.add({ address: 'unit-2' })
  reporter.retain(() => false)
  vi.advanceTimersByTime(60_000)
  expect(sent).toHaveLength(1)
})

test('devices that a new configuration does not have are still reported', () => {
  const { sent, reporter } = open()
  for (const address of ['a', 'b', 'c']) reporter.add({ line: 'L1', address, hex: '01' })
  reporter.retain(({ address }) => address !== 'b')
  vi.advanceTimersByTime(1_000)
  expect(sent.flat().map(({ address }) => address)).toEqual(['a', 'c'])
})
