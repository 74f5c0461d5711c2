import { expect, it } from 'vitest'
import { createHistoryBuffer } from './history-buffer.ts'

const message = (seq: number) => ({ boot: 1, seq, d: [{ id: 'a', m: { rssi: -70 } }] })

it('returns messages that were never sent, oldest first, each once', () => {
  const buffer = createHistoryBuffer(10)
  buffer.add(message(0), undefined)
  buffer.add(message(1), 500)
  buffer.add(message(2), undefined)
  expect(buffer.takeNext(1000)?.seq).toBe(0)
  expect(buffer.takeNext(1000)?.seq).toBe(2)
  expect(buffer.takeNext(1000)).toBeUndefined()
})

it('erases only messages up to the durable watermark', () => {
  const buffer = createHistoryBuffer(10)
  for (let seq = 0; seq < 5; seq++) buffer.add(message(seq), undefined)
  buffer.erase(1, 2)
  expect(buffer.size()).toBe(2)
  expect(buffer.takeNext(0)?.seq).toBe(3)
})

it('keeps messages after a restart if the watermark is of the boot before', () => {
  const buffer = createHistoryBuffer(10)
  const later = (seq: number) => ({ ...message(seq), boot: 2 })
  for (const buffered of [message(0), message(1), later(0), later(1)]) buffer.add(buffered, undefined)
  buffer.erase(1, 1)
  expect(buffer.size()).toBe(2)
  expect(buffer.takeNext(0)).toMatchObject({ boot: 2, seq: 0 })
  buffer.erase(2, 0)
  expect(buffer.size()).toBe(1)
})

it('keeps messages of the boot before if the watermark is of the new boot', () => {
  const buffer = createHistoryBuffer(10)
  for (const boot of [1, 2]) buffer.add({ ...message(0), boot }, undefined)
  buffer.erase(2, 0)
  expect(buffer.takeNext(0)).toMatchObject({ boot: 1, seq: 0 })
  expect(buffer.size()).toBe(1)
})

it('drops and counts the oldest message when full', () => {
  const buffer = createHistoryBuffer(2)
  for (let seq = 0; seq < 3; seq++) buffer.add(message(seq), undefined)
  expect(buffer.takeNext(0)?.seq).toBe(1)
  expect(buffer.dropped()).toBe(1)
})

it('resends a delivered message that is not durable after two minutes, if the server reports watermarks', () => {
  const buffer = createHistoryBuffer(10)
  buffer.add(message(0), 0)
  buffer.add(message(1), 0)
  expect(buffer.takeNext(130_000)).toBeUndefined()
  buffer.erase(1, 0)
  expect(buffer.takeNext(100_000)).toBeUndefined()
  expect(buffer.takeNext(130_000)?.seq).toBe(1)
})

it('resends requested messages that are still buffered, except those sent just now', () => {
  const buffer = createHistoryBuffer(3)
  for (let seq = 0; seq < 5; seq++) buffer.add(message(seq), seq === 4 ? 95_000 : 1_000)
  buffer.request(1, 0, 2, 100_000)
  buffer.request(2, 0, 9, 100_000)
  expect(buffer.takeNext(100_000)?.seq).toBe(2)
  expect(buffer.takeNext(100_000)).toBeUndefined()
  buffer.request(1, 3, 4, 100_000)
  expect(buffer.takeNext(100_000)?.seq).toBe(3)
  expect(buffer.takeNext(100_000)).toBeUndefined()
})
