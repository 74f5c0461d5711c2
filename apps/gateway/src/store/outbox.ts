import { type ChildReading, MAX_CHILDREN } from '@isotherm/contract/mqtt'
import { SECOND_MS } from '@isotherm/kernel/durations'
import type { Store } from './open-store.ts'
import { createPollMarks, type PollMark } from './poll-marks.ts'

/** A numbered message that the server has not acknowledged. */
export interface OutMessage {
  readonly boot: number
  readonly seq: number
  /** Its children as JSON, without the brackets of their array. */
  readonly children: string
  readonly readings: number
  /** When its oldest readings were stored, Unix ms. */
  readonly at: number
}

export interface OutboxOptions {
  readonly store: Store
  readonly now: () => number
  /** Limit of the stored readings, bytes. Beyond it the oldest are dropped. */
  readonly maxBytes: number
  /** Called when readings were dropped. */
  readonly onDropped: (readings: number) => void
}

/**
 * The readings that the server has not acknowledged, on the disk. Readings get the number of their message only when
 * they are sent, so dropping the oldest leaves no gap in the numbers. A message that is sent again has the same
 * number and the same content.
 */
export interface Outbox {
  /** Adds readings and the mark of their poll; the next commit stores both. */
  add(children: readonly ChildReading[], mark?: PollMark): void
  /** Stores the added readings, and numbers up to `messages` messages: new readings first, then the oldest. */
  commit(limits: { readonly live: number; readonly history: number }): readonly OutMessage[]
  /** Numbered messages in their order. */
  unacknowledged(): readonly OutMessage[]
  /** Erases the messages of this boot up to `seq`; returns how many. */
  acknowledge(boot: number, seq: number): number
  /** Starts a new numbering. Messages that are not acknowledged are numbered again from 0. */
  renew(): void
  readonly boot: number
  readonly bootStartedAt: number
  /** Readings that are not acknowledged, those of the next commit included. */
  readonly size: number
  /** Of these, readings without a number. */
  readonly waiting: number
  /** Readings that were dropped since the file exists. */
  readonly dropped: number
  /** Whether readings or marks wait for the next commit. */
  readonly isAnyInMemory: boolean
  /**
   * Why the readings of the last commits are still in memory, for example because the disk is full; undefined if they
   * are stored.
   */
  readonly problem: string | undefined
  /** The last poll of a device. */
  findMark(serial: string): PollMark | undefined
}

/** Bytes of the children of one message; the limit of a message is 64 KiB. */
const MAX_BODY_BYTES = 56 * 1024
/** Readings up to this age are sent as live, ms. */
export const LIVE_MS = 120 * SECOND_MS
/** Readings in memory while the disk refuses them; beyond it the oldest are dropped. */
const MAX_ADDED = 100_000
/**
 * Maximum number of readings that one commit stores: when a disk has space again many wait, and a commit must not
 * delay the lines.
 */
const MAX_STORED = 2_000
/** Number of commits after which a full disk is tried again. */
const RETRY_COMMITS = 20
/** Waiting batches that are read for one message. */
const ROWS_AT_ONCE = 400

/** A reading in memory. `ts`: set if it was measured long ago, so that it is sent as history. */
interface Added {
  readonly text: string
  readonly lateTs: number | undefined
}

interface Row {
  readonly id: number
  readonly at: number
  readonly readings: number
  readonly bytes: number
  readonly body: string
}

const toText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const toNumber = (value: unknown): number => (typeof value === 'number' ? value : 0)
const toRow = (row: Record<string, unknown>): Row => ({
  id: toNumber(row.id),
  at: toNumber(row.at),
  readings: toNumber(row.readings),
  bytes: toNumber(row.bytes),
  body: String(row.body),
})

/** Groups rows into messages of at most 100 children and 56 KiB. */
function toMessages(rows: readonly Row[], limit: number): Row[][] {
  const messages: Row[][] = []
  let [readings, bytes] = [0, 0]
  for (const row of rows) {
    const isFull = readings + row.readings > MAX_CHILDREN || bytes + row.bytes > MAX_BODY_BYTES
    if (messages.length === 0 || isFull) {
      if (messages.length === limit) return messages
      messages.push([])
      ;[readings, bytes] = [0, 0]
    }
    messages.at(-1)?.push(row)
    readings += row.readings
    bytes += row.bytes
  }
  return messages
}

export function createOutbox({ store, now, maxBytes, onDropped }: OutboxOptions): Outbox {
  const { db } = store
  const marks = createPollMarks(store)
  const insert = db.prepare('insert into batch (at, readings, bytes, body) values (?, ?, ?, ?)')
  const selectFresh = db.prepare(
    'select id, at, readings, bytes, body from batch where seq is null and at >= ? order by at, id limit ?',
  )
  const selectOldest = db.prepare(
    'select id, at, readings, bytes, body from batch where seq is null and at < ? order by at, id limit ?',
  )
  const number = db.prepare('update batch set seq = ? where id = ?')
  const erase = db.prepare('delete from batch where seq <= ?')
  const dropOne = db.prepare(
    'delete from batch where id = (select id from batch where seq is null order by at, id limit 1) returning readings, bytes',
  )

  /** Numbered messages that the server has not acknowledged, by seq. */
  const numberedMessages = new Map<number, OutMessage>()
  let boot = Number(store.read('boot') ?? 0)
  let bootStartedAt = Number(store.read('boot-started-at') ?? 0)
  let nextSeq = Number(store.read('next-seq') ?? 0)
  let dropped = Number(store.read('dropped') ?? 0)
  /** Readings dropped from memory; the next commit adds them to the number in the file. */
  let droppedUnsaved = 0
  let problem: string | undefined
  let skips = 0
  let isBootSaved = true
  const sums = db.prepare(
    'select coalesce(sum(readings), 0) as readings, coalesce(sum(bytes), 0) as bytes, coalesce(sum(case when seq is null then readings end), 0) as waiting from batch',
  )
  const initial = sums.get()
  let stored = toNumber(initial?.readings)
  let storedBytes = toNumber(initial?.bytes)
  let waiting = toNumber(initial?.waiting)
  /** Readings that the next commit stores. */
  const added: Added[] = []

  function toMessage(seq: number, rows: readonly Row[]): OutMessage {
    const children = rows.map(({ body }) => body).join(',')
    const readings = rows.reduce((sum, row) => sum + row.readings, 0)
    return { boot, seq, children, readings, at: rows[0]?.at ?? now() }
  }

  function restore(): void {
    numberedMessages.clear()
    const rows = db.prepare(
      'select id, at, readings, bytes, body, seq from batch where seq is not null order by seq, at, id',
    )
    const bySeq = Map.groupBy(rows.all(), (row) => toNumber(row.seq))
    for (const [seq, found] of bySeq) numberedMessages.set(seq, toMessage(seq, found.map(toRow)))
  }

  function saveBoot(): void {
    store.write('boot', boot)
    store.write('boot-started-at', bootStartedAt)
    store.write('next-seq', nextSeq)
  }

  function setNextBoot(): void {
    // Greater than any boot of a lost file, because no gateway starts more than one boot per second.
    boot = Math.max(boot + 1, Math.floor(now() / SECOND_MS))
    bootStartedAt = now()
    nextSeq = 0
  }

  /** Starts a new numbering for a new process; on a full disk continues the former one. */
  function startProcess(): void {
    const former = { boot, bootStartedAt, nextSeq }
    setNextBoot()
    try {
      store.commit(saveBoot)
    } catch (error) {
      problem = toText(error)
      if (former.boot > 0) ({ boot, bootStartedAt, nextSeq } = former)
      else isBootSaved = false
    }
  }

  /** Stores added readings in batches that fit into one message. Returns how many it stored. */
  function storeAdded(): number {
    const end = Math.min(added.length, MAX_STORED)
    let from = 0
    while (from < end) {
      let [to, bytes] = [from, 0]
      while (to < end && to - from < MAX_CHILDREN) {
        if (to > from && (added[to]?.lateTs ?? added[from]?.lateTs) !== undefined) break
        const size = Buffer.byteLength(added[to]?.text ?? '') + 1
        if (to > from && bytes + size > MAX_BODY_BYTES) break
        bytes += size
        to++
      }
      const body = added.slice(from, to).map(({ text }) => text)
      insert.run(added[from]?.lateTs ?? now(), to - from, bytes, body.join(','))
      stored += to - from
      waiting += to - from
      storedBytes += bytes
      from = to
    }
    // A mark is stored with the readings of its poll, or after them.
    if (end === added.length) marks.store()
    return end
  }

  /** Whether to try to store readings: rarely while the disk is full. */
  function mayStore(): boolean {
    if (skips > 0) {
      skips--
      return false
    }
    try {
      store.reserve()
      problem = undefined
      return true
    } catch (error) {
      problem = toText(error)
      skips = RETRY_COMMITS
      return false
    }
  }

  /**
   * Drops the oldest waiting readings until the limit holds. Numbered messages stay, because the server needs every
   * number.
   */
  function dropOldest(): number {
    let count = 0
    while (storedBytes > maxBytes) {
      const row = dropOne.get()
      if (row === undefined) break
      count += toNumber(row.readings)
      storedBytes -= toNumber(row.bytes)
    }
    if (count === 0 && droppedUnsaved === 0) return 0
    stored -= count
    waiting -= count
    dropped += count + droppedUnsaved
    store.write('dropped', dropped)
    return count
  }

  function numberRows(rows: readonly Row[], limit: number): OutMessage[] {
    return toMessages(rows, limit).map((ofMessage) => {
      const seq = nextSeq++
      for (const { id } of ofMessage) number.run(seq, id)
      const message = toMessage(seq, ofMessage)
      waiting -= message.readings
      numberedMessages.set(seq, message)
      return message
    })
  }

  function numberNext({ live, history }: { readonly live: number; readonly history: number }): OutMessage[] {
    const since = now() - LIVE_MS
    const fresh = live > 0 ? selectFresh.all(since, ROWS_AT_ONCE).map(toRow) : []
    const old = history > 0 ? selectOldest.all(since, ROWS_AT_ONCE).map(toRow) : []
    const messages = [...numberRows(fresh, live), ...numberRows(old, history)]
    if (messages.length > 0) store.write('next-seq', nextSeq)
    return messages
  }

  /** Restores the counters from the file after a failed transaction, which did not change the file. */
  function recount(): void {
    const read = sums.get()
    stored = toNumber(read?.readings)
    storedBytes = toNumber(read?.bytes)
    waiting = toNumber(read?.waiting)
    nextSeq = Number(store.read('next-seq') ?? 0)
    dropped = Number(store.read('dropped') ?? 0)
    restore()
  }

  restore()
  if (numberedMessages.size === 0) startProcess()

  return {
    add(children, mark) {
      for (const child of children) {
        const isLate = child.ts !== undefined && now() - child.ts > LIVE_MS
        added.push({ text: JSON.stringify(child), lateTs: isLate ? child.ts : undefined })
      }
      if (mark !== undefined) marks.add(mark)
      if (added.length <= MAX_ADDED) return
      const lost = added.splice(0, added.length - MAX_ADDED).length
      droppedUnsaved += lost
      onDropped(lost)
    },
    commit(limits) {
      const isIdle =
        added.length === 0 &&
        !marks.isPending() &&
        (waiting === 0 || (limits.live <= 0 && limits.history <= 0))
      if (isIdle) return []
      let [count, end, hasMarks] = [0, 0, false]
      try {
        const isStoring = (added.length > 0 || marks.isPending()) && mayStore()
        const messages = store.commit(() => {
          if (!isBootSaved) saveBoot()
          if (isStoring) {
            end = storeAdded()
            hasMarks = end === added.length
          }
          const numbered = numberNext(limits)
          count = dropOldest()
          return numbered
        })
        added.splice(0, end)
        droppedUnsaved = 0
        isBootSaved = true
        if (count > 0) onDropped(count)
        if (hasMarks) marks.stored()
        return messages
      } catch (error) {
        recount()
        throw error
      }
    },
    unacknowledged: () => [...numberedMessages.values()],
    acknowledge(ofBoot, seq) {
      if (ofBoot !== boot) return 0
      const acknowledged = [...numberedMessages.values()].filter((message) => message.seq <= seq)
      if (acknowledged.length === 0) return 0
      store.commit(() => erase.run(seq))
      for (const message of acknowledged) {
        numberedMessages.delete(message.seq)
        stored -= message.readings
        storedBytes = Math.max(0, storedBytes - Buffer.byteLength(message.children) - 1)
      }
      return acknowledged.length
    },
    renew() {
      const messages = [...numberedMessages.values()]
      const former = { boot, bootStartedAt, nextSeq }
      try {
        store.commit(() => {
          setNextBoot()
          const renumber = db.prepare('update batch set seq = ? where seq = ?')
          // Below 0 first, so that no new number meets an old one.
          for (const [index, { seq }] of messages.entries()) renumber.run(-1 - index, seq)
          for (const index of messages.keys()) renumber.run(index, -1 - index)
          nextSeq = messages.length
          saveBoot()
        })
      } catch (error) {
        ;({ boot, bootStartedAt, nextSeq } = former)
        throw error
      }
      restore()
    },
    get boot() {
      return boot
    },
    get bootStartedAt() {
      return bootStartedAt
    },
    get size() {
      return stored + added.length
    },
    get waiting() {
      return waiting + added.length
    },
    get dropped() {
      return dropped + droppedUnsaved
    },
    get isAnyInMemory() {
      return added.length > 0 || marks.isPending()
    },
    get problem() {
      return problem
    },
    findMark: marks.find,
  }
}
