import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { BacklogFullError, createGroupCommit, type GroupCommitLimits } from './group-commit.ts'
import type { ReadingMessage } from './sample.ts'
import { toMessageKey } from './store.ts'

/** Every wait is over at the next turn: only the order of things counts here. */
const hurried: Clock = {
  now: () => 0,
  setTimeout(task) {
    const immediate = setImmediate(task)
    return { cancel: () => clearImmediate(immediate) }
  },
}

const message = (seq: number, rows = 1): ReadingMessage => ({
  ...{ node: 1, boot: 1, seq, received: 0, live: true, samples: [], rows },
})

/** What one insert does: stores; fails before it stores; stores and fails, as when the answer is lost. */
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
    store: {
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
    },
  })
  return { commit, stored, inserts, committed }
}

test('messages that arrive together are stored by one insert', async () => {
  const { commit, inserts } = createBench([])
  await Promise.all([0, 1, 2, 3].map((seq) => commit.add(message(seq))))
  expect(inserts).toEqual([4])
})

test('a batch holds no more rows than its limit, and one large message still goes', async () => {
  const { commit, inserts } = createBench([], { batchRows: 10 })
  await Promise.all([4, 4, 4, 50, 1].map((rows, seq) => commit.add(message(seq, rows))))
  expect(inserts).toEqual([2, 1, 1, 1])
})

test('an insert whose answer was lost is not repeated', async () => {
  const { commit, stored, inserts } = createBench(['answer-lost'])
  await commit.add(message(0))
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
        await Promise.all(sizes.map((rows, seq) => commit.add(message(seq, rows))))
        const expected = sizes.map((_rows, seq) => toMessageKey(message(seq))).toSorted()
        expect(stored.toSorted()).toEqual(expected)
        expect(committed.toSorted()).toEqual(expected)
        expect(commit.backlogRows()).toBe(0)
      },
    ),
  )
})

test('above the backlog nothing more is taken, and what was taken is stored', async () => {
  const { commit, stored } = createBench([], { backlogRows: 3 })
  const taken = [0, 1, 2].map((seq) => commit.add(message(seq)))
  await expect(commit.add(message(3))).rejects.toThrow(BacklogFullError)
  await Promise.all(taken)
  expect(stored).toHaveLength(3)
})

test('closing stores what was taken and takes nothing more', async () => {
  const { commit, stored } = createBench([])
  const taken = commit.add(message(0))
  await commit.close(1_000)
  await taken
  expect(stored).toHaveLength(1)
  await expect(commit.add(message(1))).rejects.toThrow(BacklogFullError)
})
