import { setImmediate } from 'node:timers/promises'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTimeSlices } from '../subscriptions/time-slices.ts'
import { type LiveConnection, openConnection } from './connection.ts'

const LIFE_MS = HOUR_MS

const network = {
  resolveNodes: async () => ['/'],
  findParts: async () => new Map([['-1', ['/']]]),
  findKeys: async () => [],
  showsCompany: async () => true,
}

/** A connection with a session of an hour. `check` answers the session check at its end. */
async function createBench(
  check: (connection: LiveConnection, now: number) => void,
  pace: Promise<void> = Promise.resolve(),
) {
  const clock = createTestClock()
  const events: LiveEvent[] = []
  const closedWith: number[] = []
  const access = { permissions: new Set([]), scope: scopeOfEverything }
  const connection: LiveConnection = openConnection(
    {
      send: (text) => events.push(liveEvent.parse(JSON.parse(text))),
      close: (code) => closedWith.push(code),
      bufferedBytes: () => 0,
    },
    {
      clock,
      network,
      lookups: network,
      waitForSlice: createTimeSlices(),
      waitForPace: () => pace,
      mode: 'demo',
      epoch: 'e',
      log: createLog({ logLevel: 'silent' }),
      session: {
        authenticate: async () => ({
          accountId: 1,
          account: 'li',
          companyId: undefined,
          sessionId: 5,
          tokenHash: Buffer.alloc(0),
          ...access,
          expiresAt: clock.now() + LIFE_MS,
        }),
      },
      directory: { below: () => [], findById: () => undefined },
      states: { find: () => undefined, versionOf: () => 0, version: () => 1 },
      leftVersion: () => 0,
      timeFactor: () => undefined,
      countOthers: () => 0,
      checkSessions: async () => check(connection, clock.now()),
    },
  )
  connection.receive(JSON.stringify({ type: 'hello', token: 't' }))
  await expect.poll(() => events.map(({ type }) => type)).toEqual(['welcome'])
  const pass = async (ms: number) => {
    clock.advance(ms)
    await setImmediate()
  }
  return { connection, events, closedWith, access, pass }
}

test('a session whose tokens were exchanged continues until it ends', async () => {
  let isAlive = true
  const bench = await createBench((connection, now) => {
    const access = { ...bench.access, endsAt: now + LIFE_MS }
    connection.updateAccess(5, isAlive ? access : undefined)
  })
  await bench.pass(LIFE_MS)
  expect(bench.closedWith).toEqual([])
  isAlive = false
  await bench.pass(LIFE_MS - 1)
  expect(bench.closedWith).toEqual([])
  await bench.pass(1)
  expect(bench.closedWith).toEqual([1000])
  expect(bench.events.at(-1)).toEqual({ type: 'expired' })
})

test('if the check at the end of a session fails, the connection is closed without calling it expired', async () => {
  const { events, closedWith, pass } = await createBench(() => undefined)
  await pass(LIFE_MS)
  expect(closedWith).toEqual([1000])
  expect(events.map(({ type }) => type)).toEqual(['welcome'])
})

test('a subscription begins when the pace of its account allows it', async () => {
  const pace = Promise.withResolvers<void>()
  const { connection, events, pass } = await createBench(() => undefined, pace.promise)
  const subscribe = { type: 'subscribe', sub: 'a', nodes: [], kinds: ['valve'] }
  connection.receive(JSON.stringify(subscribe))
  await pass(1_000)
  expect(events.map(({ type }) => type)).toEqual(['welcome'])
  pace.resolve()
  await expect.poll(() => events.at(-1)).toMatchObject({ type: 'refused', sub: 'a', code: 'access.denied' })
})
