import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createJournal } from '../commands/journal.ts'
import { openStore } from './open-store.ts'
import { createOutbox, LIVE_MS, type OutMessage } from './outbox.ts'

const START = Date.UTC(2026, 10, 27, 12)
const ALL = { live: 100, history: 100 }
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

/** An outbox on a folder of its own, or on that of another one. */
function open(given: { folder?: string; maxBytes?: number } = {}) {
  const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'isotherm-outbox-'))
  if (given.folder === undefined) closers.push(() => rmSync(folder, { recursive: true }))
  const clock = { ms: START }
  const dropped: number[] = []
  const store = openStore(folder)
  closers.push(store.close)
  const outbox = createOutbox({
    store,
    now: () => clock.ms,
    maxBytes: given.maxBytes ?? 1e9,
    onDropped: (readings) => dropped.push(readings),
  })
  return { folder, clock, dropped, store, outbox }
}

const reading = (value: number) => ({ id: 'M1', ts: START + value, m: { 'heat.energy': value } })
const valuesOf = (messages: readonly OutMessage[]): number[] =>
  messages.flatMap(({ children }) =>
    JSON.parse(`[${children}]`).map((child: { m: Record<string, number> }) => child.m['heat.energy']),
  )

test('numbers messages from 0, and puts at most a hundred readings into one', () => {
  const { outbox } = open()
  outbox.add(Array.from({ length: 250 }, (_, index) => reading(index)))
  const messages = outbox.commit(ALL)
  expect(messages.map(({ seq, readings }) => [seq, readings])).toEqual([
    [0, 100],
    [1, 100],
    [2, 50],
  ])
  expect(valuesOf(messages)).toEqual(Array.from({ length: 250 }, (_, index) => index))
  outbox.add([reading(250)])
  expect(outbox.commit(ALL).map(({ seq }) => seq)).toEqual([3])
  expect([outbox.size, outbox.waiting]).toEqual([251, 0])
})

test('erases what the server acknowledges, and nothing for another boot', () => {
  const { outbox } = open()
  outbox.add([reading(1)])
  outbox.commit(ALL)
  outbox.add([reading(2)])
  outbox.commit(ALL)
  expect(outbox.acknowledge(outbox.boot - 1, 1)).toBe(0)
  expect(outbox.acknowledge(outbox.boot, 0)).toBe(1)
  expect(valuesOf(outbox.unacknowledged())).toEqual([2])
  expect(outbox.acknowledge(outbox.boot, 0)).toBe(0)
  expect(outbox.size).toBe(1)
})

test('a process that is killed leaves the same messages with the same numbers to the next one', () => {
  const first = open()
  first.outbox.add([reading(1), reading(2)], { serial: 'M1', slot: 7, sequence: 3 })
  const [sent] = first.outbox.commit(ALL)
  first.outbox.add([reading(3)])
  first.outbox.commit({ live: 0, history: 0 })
  // Added and not committed: lost with its mark, so that the device is polled again.
  first.outbox.add([reading(4)], { serial: 'M1', slot: 8, sequence: 4 })
  const { outbox } = open({ folder: first.folder })
  expect(outbox.unacknowledged()).toEqual([sent])
  expect(outbox.boot).toBe(first.outbox.boot)
  expect(outbox.findMark('M1')).toEqual({ serial: 'M1', slot: 7, sequence: 3 })
  const [next] = outbox.commit(ALL)
  expect(next && [next.seq, valuesOf([next])]).toEqual([1, [3]])
})

test('sends new readings before the history of an outage, and the oldest history first', () => {
  const { outbox, clock } = open()
  for (const value of [1, 2]) {
    outbox.add([reading(value)])
    outbox.commit({ live: 0, history: 0 })
    clock.ms += LIVE_MS + 1
  }
  outbox.add([{ ...reading(3), ts: clock.ms }])
  expect(valuesOf(outbox.commit({ live: 1, history: 0 }))).toEqual([3])
  expect(valuesOf(outbox.commit({ live: 1, history: 1 }))).toEqual([1, 2])
})

test('a reading that was measured long ago is history, even if it has just arrived', () => {
  const { outbox, clock } = open()
  clock.ms += 3_600_000
  outbox.add([reading(1), { ...reading(2), ts: clock.ms }, reading(3)])
  expect(valuesOf(outbox.commit({ live: 10, history: 0 }))).toEqual([2])
  expect(valuesOf(outbox.commit({ live: 10, history: 10 }))).toEqual([1, 3])
})

test('drops the oldest waiting readings when it is full, counts them, and leaves no gap in the numbers', () => {
  const { outbox, clock, dropped, folder } = open({ maxBytes: 1_000 })
  outbox.add([reading(0)])
  outbox.commit(ALL)
  for (let value = 1; value <= 30; value++) {
    outbox.add([reading(value)])
    outbox.commit({ live: 0, history: 0 })
    clock.ms += 1_000
  }
  const lost = dropped.reduce((sum, count) => sum + count, 0)
  expect(lost).toBeGreaterThan(10)
  expect(outbox.dropped).toBe(lost)
  expect(outbox.size).toBe(31 - lost)
  const [message] = outbox.commit(ALL)
  expect(message?.seq).toBe(1)
  expect(message && valuesOf([message])[0]).toBe(lost + 1)
  // A sent message is not dropped: its number must arrive.
  expect(valuesOf(outbox.unacknowledged())[0]).toBe(0)
  expect(open({ folder, maxBytes: 1_000 }).outbox.dropped).toBe(lost)
})

test('a new numbering has a later boot number, and numbers the unacknowledged messages again', () => {
  const { outbox, folder } = open()
  for (const value of [1, 2, 3]) {
    outbox.add([reading(value)])
    outbox.commit(ALL)
  }
  const { boot } = outbox
  outbox.acknowledge(boot, 0)
  outbox.renew()
  expect(outbox.boot).toBeGreaterThan(boot)
  expect(outbox.unacknowledged().map((message) => [message.boot, message.seq, valuesOf([message])])).toEqual([
    [outbox.boot, 0, [2]],
    [outbox.boot, 1, [3]],
  ])
  outbox.add([reading(4)])
  expect(outbox.commit(ALL).map(({ seq }) => seq)).toEqual([2])
  expect(
    open({ folder })
      .outbox.unacknowledged()
      .map(({ seq }) => seq),
  ).toEqual([0, 1, 2])
})

test('the first numbering of a new store is later than those of a store that was lost', () => {
  const { outbox } = open()
  expect(outbox.boot).toBe(START / 1000)
})

test('a failed commit loses nothing', () => {
  const { outbox, store } = open()
  outbox.add([reading(1)])
  store.db.exec('pragma query_only = 1')
  expect(() => outbox.commit(ALL)).toThrow()
  store.db.exec('pragma query_only = 0')
  const [message] = outbox.commit(ALL)
  expect(message && [message.seq, valuesOf([message])]).toEqual([0, [1]])
  expect(outbox.size).toBe(1)
})

/** The file cannot grow from now on, as on a full disk; returns what ends this. */
function fillDisk({ store }: Pick<ReturnType<typeof open>, 'store'>): () => void {
  const pages = Number(store.db.prepare('pragma page_count').get()?.page_count)
  store.db.exec(`pragma max_page_count = ${pages}`)
  return () => store.db.exec('pragma max_page_count = 1000000')
}

test('on a full disk readings wait in memory, stored messages are still sent, and commands are stored', () => {
  const opened = open()
  const { outbox, store, folder } = opened
  let next = 0
  const addMany = (): void => outbox.add(Array.from({ length: 2_000 }, () => reading(next++)))
  const freeDisk = fillDisk(opened)
  while (outbox.problem === undefined) {
    addMany()
    outbox.commit({ live: 0, history: 0 })
    expect(next).toBeLessThan(50_000)
  }
  addMany()
  outbox.commit({ live: 0, history: 0 })
  expect(outbox.problem).toMatch(/full/)
  expect(outbox.size).toBe(next)
  const journal = createJournal(store, () => START)
  for (let id = 0; id < 100; id++)
    journal.accept({ id: `command ${id}`, dev: 'V1', do: 'valve.set', value: 5, exp: START }, id)
  expect(journal.markWritten('command 99')).toBe(true)

  // The messages of the file make room for those in memory.
  const arrived: number[] = []
  const send = (): void => {
    for (const message of outbox.commit(ALL)) {
      arrived.push(...valuesOf([message]))
      outbox.acknowledge(message.boot, message.seq)
    }
  }
  for (let round = 0; round < 100 && outbox.size > 0; round++) send()
  expect(arrived.toSorted((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, value) => value))
  expect(outbox.dropped).toBe(0)

  freeDisk()
  addMany()
  for (let round = 0; round < 30; round++) outbox.commit({ live: 0, history: 0 })
  expect(outbox.problem).toBeUndefined()
  expect(open({ folder }).outbox.size).toBe(2_000)
})

test('what memory dropped while the disk was full is counted, also after a restart', () => {
  const { outbox, store, folder } = open()
  store.db.exec('pragma query_only = 1')
  outbox.add(Array.from({ length: 100_300 }, (_, value) => reading(value)))
  expect(() => outbox.commit(ALL)).toThrow()
  expect(outbox.dropped).toBe(300)
  store.db.exec('pragma query_only = 0')
  outbox.commit({ live: 0, history: 0 })
  expect(outbox.dropped).toBe(300)
  expect(open({ folder }).outbox.dropped).toBe(300)
})

test('an acknowledgement and a new numbering that cannot be stored change nothing', () => {
  const { outbox, store } = open()
  outbox.add([reading(1)])
  outbox.commit(ALL)
  const { boot } = outbox
  store.db.exec('pragma query_only = 1')
  expect(() => outbox.acknowledge(boot, 0)).toThrow()
  expect(() => outbox.renew()).toThrow()
  expect([outbox.boot, outbox.size, valuesOf(outbox.unacknowledged())]).toEqual([boot, 1, [1]])
  store.db.exec('pragma query_only = 0')
  expect(outbox.acknowledge(boot, 0)).toBe(1)
  expect(outbox.size).toBe(0)
})

test('a disk that stays full does not fill the memory; what is dropped is counted', () => {
  const { outbox, store, dropped } = open()
  store.db.exec('pragma query_only = 1')
  for (let from = 0; from < 100_500; from += 500)
    outbox.add(Array.from({ length: 500 }, (_, at) => reading(from + at)))
  expect(() => outbox.commit(ALL)).toThrow()
  expect(outbox.size).toBe(100_000)
  expect(dropped).toEqual([500])
})
