import type { LiveEvent } from '@isotherm/contract/live'
import { expect, test } from 'vitest'
import type { DirectoryEntry } from '../../apps/server/src/modules/devices/index.ts'
import { openSubscription } from '../../apps/server/src/modules/live/subscriptions/subscription.ts'
import { createTestClock } from '../../apps/server/src/testing/core.testkit.ts'
import { createPushes } from './pushes.ts'

const VALVES = 4_500

const toValve = (id: number): DirectoryEntry => ({
  id,
  path: `/1/d${id}/`,
  tenant: 'demo',
  serial: `v${id}`,
  kind: 'valve',
  concentratorId: undefined,
  periodS: 10,
})

/** Watches `count` valves that have readings. Returns the ids that count as pushed. */
function watch(count: number) {
  const clock = createTestClock()
  const pushes = createPushes()
  const parts: number[] = []
  const pushed: number[] = []
  let version = count
  const subscription = openSubscription({
    name: 'valves',
    kinds: ['valve'],
    epoch: 'e',
    since: undefined,
    paths: ['/'],
    clock,
    states: {
      version: () => version,
      find: (deviceId) => ({ deviceId, ts: 0, quality: 0, metrics: {} }),
      versionOf: () => version,
    },
    devices: Array.from({ length: count }, (_, index) => toValve(index + 1)),
    isBehind: () => false,
    send(event: LiveEvent) {
      if (event.type === 'states') parts.push(event.rows.length)
      pushed.push(...pushes.read(JSON.stringify(event)).map(({ deviceId }) => deviceId))
    },
  })
  const change = (id: number): void => {
    version += 1
    subscription.recordChange(toValve(id))
  }
  /** Lets the clock pass, because parts are sent one after the other. */
  const wait = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 10) clock.advance(10)
  }
  return { wait, change, parts, pushed, isFirstAnswerComplete: pushes.isFirstAnswerComplete }
}

test('no part of the first answer is a push, and it is complete with its last part', () => {
  const { wait, parts, pushed, isFirstAnswerComplete } = watch(VALVES)
  expect(isFirstAnswerComplete()).toBe(false)
  wait(1_000)
  expect(parts).toEqual([2_000, 2_000, 500])
  expect(isFirstAnswerComplete()).toBe(true)
  expect(pushed).toEqual([])
})

test('a change after the complete first answer is a push', () => {
  const { wait, change, pushed } = watch(VALVES)
  wait(1_000)
  change(7)
  wait(1_000)
  change(8)
  change(9)
  wait(1_000)
  expect(pushed).toEqual([7, 8, 9])
})

test('a first answer in one part is complete at once', () => {
  const { wait, change, pushed, isFirstAnswerComplete } = watch(1)
  expect(isFirstAnswerComplete()).toBe(true)
  change(1)
  wait(1_000)
  expect(pushed).toEqual([1])
})

test('a change during the first answer ends it', () => {
  const { wait, change, pushed, isFirstAnswerComplete } = watch(VALVES)
  change(7)
  wait(30)
  expect(isFirstAnswerComplete()).toBe(false)
  wait(1_000)
  expect(isFirstAnswerComplete()).toBe(true)
  change(8)
  wait(1_000)
  expect(pushed).toEqual([8])
})

test('a restarted first answer is no push either', () => {
  const pushes = createPushes()
  const send = (full: boolean, version: number) => {
    const row = { deviceId: 1, ts: 0, quality: 0, metrics: {} }
    const cursor = { epoch: 'e', version }
    const event: LiveEvent = { type: 'states', sub: 'valves', cursor, full, rows: [row] }
    return pushes.read(JSON.stringify(event)).length
  }
  expect([send(true, 5), send(false, 6)]).toEqual([0, 1])
  expect([send(true, 0), send(false, 0), send(false, 7), send(false, 8)]).toEqual([0, 0, 0, 1])
})
