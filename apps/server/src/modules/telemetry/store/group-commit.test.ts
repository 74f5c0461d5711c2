import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { toMessageKey } from '../messages/message-key.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import { BacklogFullError } from './backlog-full.ts'
import { createGroupCommit, type GroupCommitLimits } from './group-commit.ts'
import { RefusedRowsError } from './refused-rows.ts'

/** A clock whose timers fire in the next turn of the event loop: only the order of events matters here. */
const hurried: Clock = {
  now: () => 0,
  elapsed: () => 0,
  setTimeout(task) {
    const immediate = setImmediate(task)
    return { cancel: () => clearImmediate(immediate) }
  },
}

const message = (seq: number, rows = 1): ReadingMessage => ({
  gatewayId: 1,
  boot: 1,
  seq,
  received: 0,
  live: true,
  samples: [],
  rows,
})
const notQuarantined = () => Promise.reject(new Error('nothing is wrong with it'))

/** Result of one insert. `answer-lost`: the rows are stored, but the insert fails because the answer is lost. */
type Outcome = 'stored' | 'refused' | 'answer-lost'

function createBench(outcomes: Outcome[], limits: Partial<GroupCommitLimits> = {}) {
  const stored: string[] = []
  const inserts: number[] = []
  const committed: string[] = []
  const commit = createGroupCommit({
    clock: hurried,
    log: createLog({ logLevel: 'silent' }),
    limits,
    committed: (messages) => committed.push(...messages.map(toMessageKey)),
    async insert(messages) {
      inserts.push(messages.length)
      await new Promise((resolve) => setImmediate(resolve))
      const outcome = outcomes.shift() ?? 'stored'
      if (outcome !== 'refused') stored.push(...messages.map(toMessageKey))
      if (outcome !== 'stored') throw new Error('the connection broke')
    },
    async findStored(messages) {
      return new Set(messages.map(toMessageKey).filter((key) => stored.includes(key)))
    },
  })
  return { commit, stored, inserts, committed }
}

test('messages that arrive together are stored by one insert', async () => {
  const { commit, inserts } = createBench([])
  await Promise.all([0, 1, 2, 3].map((seq) => commit.add(message(seq), notQuarantined)))
  expect(inserts).toEqual([4])
})

test('the message that waits longest is known until it is durable, also while its insert runs', async () => {
  const { commit } = createBench(['refused'], { batchRows: 1, parallel: 1 })
  const durable = [20, 30].map((received, seq) => commit.add({ ...message(seq), received }, notQuarantined))
  expect(commit.oldestReceived()).toBe(20)
  await durable[0]
  expect(commit.oldestReceived()).toBe(30)
  await durable[1]
  expect(commit.oldestReceived()).toBeUndefined()
})

test('a batch has no more rows than its limit, except for one large message', async () => {
  const { commit, inserts } = createBench([], { batchRows: 10 })
  await Promise.all([4, 4, 4, 50, 1].map((rows, seq) => commit.add(message(seq, rows), notQuarantined)))
  expect(inserts).toEqual([2, 1, 1, 1])
})

test('an insert whose answer was lost is not repeated', async () => {
  const { commit, stored, inserts } = createBench(['answer-lost'])
  await commit.add(message(0), notQuarantined)
  expect(stored).toEqual(['1:1:0'])
  expect(inserts).toHaveLength(1)
})

test('whatever fails, each message that resolves is stored once', async () => {
  const outcome = fc.constantFrom<Outcome>('stored', 'refused', 'answer-lost')
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (outcomes, sizes, parallel) => {
        const { commit, stored, committed } = createBench(outcomes, { batchRows: 12, parallel })
        await Promise.all(sizes.map((rows, seq) => commit.add(message(seq, rows), notQuarantined)))
        const expected = sizes.map((_rows, seq) => toMessageKey(message(seq))).toSorted()
        expect(stored.toSorted()).toEqual(expected)
        expect(committed.toSorted()).toEqual(expected)
        expect(commit.backlogRows()).toBe(0)
        expect(commit.oldestReceived()).toBeUndefined()
      },
    ),
  )
})

test('above the backlog limit no message is accepted, and the accepted ones are stored', async () => {
  const { commit, stored } = createBench([], { backlogRows: 3 })
  const taken = [0, 1, 2].map((seq) => commit.add(message(seq), notQuarantined))
  await expect(commit.add(message(3), notQuarantined)).rejects.toThrow(BacklogFullError)
  await Promise.all(taken)
  expect(stored).toHaveLength(3)
})

test('many small messages fill the memory of the backlog before its rows, and are accepted again when it is free', async () => {
  const { commit, stored } = createBench([], { backlogBytes: 10_000 })
  const taken = [0, 1, 2].map((seq) => commit.add(message(seq), notQuarantined))
  await expect(commit.add(message(3), notQuarantined)).rejects.toThrow(BacklogFullError)
  await Promise.all(taken)
  await commit.add(message(3), notQuarantined)
  expect(stored).toHaveLength(4)
})

test('repeated messages that wait for the first one fill the backlog too', async () => {
  const { commit } = createBench([], { backlogBytes: 10_000 })
  const first = commit.add(message(0), notQuarantined)
  const repeats = [commit.waitFor(first), commit.waitFor(first)]
  expect(commit.isFull()).toBe(true)
  await expect(commit.waitFor(first)).rejects.toThrow(BacklogFullError)
  await Promise.all(repeats)
  expect(commit.isFull()).toBe(false)
})

test('closing stores the accepted messages and accepts no more', async () => {
  const { commit, stored } = createBench([])
  const taken = commit.add(message(0), notQuarantined)
  await commit.close(1_000)
  await taken
  expect(stored).toHaveLength(1)
  await expect(commit.add(message(1), notQuarantined)).rejects.toThrow(BacklogFullError)
})

const toValve = (id: number): DirectoryEntry => {
  const place = { tenant: 't', serial: `${id}`, path: '/', concentratorId: undefined }
  return { id, kind: 'valve', periodS: 5, ...place }
}

/** A message of readings; the store refuses those with the value 13. */
const readings = (seq: number, values: readonly number[]): ReadingMessage => ({
  gatewayId: 1,
  boot: 1,
  seq,
  received: 0,
  live: true,
  rows: values.length,
  samples: values.map((value, index) => ({
    device: toValve(index),
    ts: 0,
    quality: 0,
    values: [{ metric: 'temp.room', value, quality: 0 }],
  })),
})

test('rows that the store refuses are quarantined before their message is done, and the rest is stored', async () => {
  const outcome = fc.constantFrom<Outcome>('stored', 'refused', 'answer-lost')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(1, 2, 13), { minLength: 1, maxLength: 5 }), { minLength: 1 }),
      fc.array(outcome, { maxLength: 8 }),
      fc.nat({ max: 2 }),
      async (isGivenUp, outcomes, lateBy) => {
        const rows = new Set<string>()
        const whole = new Set<string>()
        const apart: number[] = []
        const committed = new Map<number, number>()
        let isAway = lateBy
        const commit = createGroupCommit({
          clock: hurried,
          log: createLog({ logLevel: 'silent' }),
          limits: { batchRows: 20 },
          committed(messages) {
            for (const { seq, rows: count } of messages) committed.set(seq, count)
          },
          async insert(messages) {
            const outcome = outcomes.shift() ?? 'stored'
            if (outcome === 'refused') throw new Error('the store is away')
            const samples = messages.flatMap((one) => one.samples.map((sample) => ({ one, sample })))
            if (samples.some(({ sample }) => sample.values[0]?.value === 13))
              throw new RefusedRowsError('a constraint of the table')
            for (const { one, sample } of samples) rows.add(`${one.seq}:${sample.device.id}`)
            for (const one of messages) if (!one.isPart) whole.add(toMessageKey(one))
            if (outcome === 'answer-lost') throw new Error('the connection broke')
          },
          findStored: async (messages) =>
            new Set(
              messages
                .filter(({ isPart }) => !isPart)
                .map(toMessageKey)
                .filter((key) => whole.has(key)),
            ),
        })
        const taken = await Promise.all(
          isGivenUp.map((values, seq) =>
            commit.add(readings(seq, values), async () => {
              expect(committed.has(seq)).toBe(false)
              isAway -= 1
              if (isAway >= 0) throw new Error('the quarantine is away')
              apart.push(seq)
            }),
          ),
        )
        const good = isGivenUp.map((values) => values.filter((value) => value !== 13).length)
        expect(taken).toEqual(good)
        expect([...rows].toSorted()).toEqual(
          isGivenUp
            .flatMap((values, seq) => values.flatMap((value, id) => (value === 13 ? [] : [`${seq}:${id}`])))
            .toSorted(),
        )
        expect(apart.toSorted((a, b) => a - b)).toEqual(
          isGivenUp.flatMap((values, seq) => (values.includes(13) ? [seq] : [])),
        )
        expect(committed).toEqual(new Map(good.flatMap((count, seq) => (count > 0 ? [[seq, count]] : []))))
        expect(commit.backlogRows()).toBe(0)
        expect(commit.oldestReceived()).toBeUndefined()
        expect(commit.isHealthy()).toBe(true)
      },
    ),
  )
})

test('a message that cannot be quarantined rejects, and the others are stored', async () => {
  const committed: string[] = []
  const commit = createGroupCommit({
    clock: hurried,
    log: createLog({ logLevel: 'silent' }),
    committed: (messages) => committed.push(...messages.map(toMessageKey)),
    async insert(messages) {
      if (messages.some(({ seq }) => seq === 1)) throw new RefusedRowsError('a constraint of the table')
    },
    findStored: async () => new Set(),
  })
  const others = [0, 2].map((seq) => commit.add(readings(seq, [20]), notQuarantined))
  const refused = commit.add(readings(1, [13]), async () => {
    throw new RefusedRowsError('the quarantine refuses it, too')
  })
  await expect(refused).rejects.toThrow('the quarantine refuses it, too')
  expect(await Promise.all(others)).toEqual([1, 1])
  expect(committed).toEqual(['1:1:0', '1:1:2'])
})

test('messages that cannot be stored within the grace period reject at once, without another retry pause', async () => {
  const clock = createTestClock()
  const commit = createGroupCommit({
    clock,
    log: createLog({ logLevel: 'silent' }),
    limits: { retryMs: [60_000, 60_000] },
    committed: () => undefined,
    insert: () => Promise.reject(new Error('the store is away')),
    findStored: async () => new Set(),
  })
  const taken = commit.add(message(0), notQuarantined)
  const refused = expect(taken).rejects.toThrow('the store is away')
  clock.advance(40)
  await expect.poll(() => commit.isHealthy()).toBe(false)
  const closed = commit.close(1_000)
  clock.advance(1_000)
  await Promise.all([refused, closed])
  expect(commit.backlogRows()).toBe(0)
  expect(commit.oldestReceived()).toBeUndefined()
})

test('messages are stored while the clock of the machine is set back', async () => {
  const clock = createTestClock()
  const commit = createGroupCommit({
    clock,
    log: createLog({ logLevel: 'silent' }),
    committed: () => undefined,
    insert: async () => undefined,
    findStored: async () => new Set(),
  })
  const first = commit.add(message(0), notQuarantined)
  clock.advance(0)
  await first
  clock.jump(-3_600_000)
  const second = commit.add(message(1), notQuarantined)
  clock.advance(40)
  expect(await second).toBe(1)
})

test('with several servers each begins inserts less often', async () => {
  const clock = createTestClock()
  const started: number[] = []
  const commit = createGroupCommit({
    clock,
    log: createLog({ logLevel: 'silent' }),
    limits: { intervalMs: 40 },
    countWriters: () => 3,
    committed: () => undefined,
    insert: async () => void started.push(clock.now()),
    findStored: async () => new Set(),
  })
  const begin = clock.now()
  const first = commit.add(message(1), notQuarantined)
  clock.advance(0)
  await first
  const second = commit.add(message(2), notQuarantined)
  clock.advance(119)
  expect(started).toEqual([begin])
  clock.advance(1)
  await second
  expect(started).toEqual([begin, begin + 120])
})
