import type { ReplyMessage, ScanProgress } from '@isotherm/contract/mqtt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Line } from '../field/line.ts'
import type { ScanEnd, ScanOrder } from '../field/scan/line-scan.ts'
import { createLineScans } from './line-scans.ts'

const NOW = 1_763_683_200_000
const progress: ScanProgress = { requested: 5, of: 10, found: 0, known: 0, collisions: 0 }

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
})

function start({ isOpen = true, isSearchable = true } = {}) {
  const replies: Partial<ReplyMessage>[] = []
  const orders: ScanOrder[] = []
  const ended = Promise.withResolvers<ScanEnd>()
  const line: Pick<Line, 'scan' | 'state'> = {
    state: () => ({ isOpen, devices: 0, silent: 0, answeredAt: undefined }),
    ...(isSearchable && {
      scan(order) {
        orders.push(order)
        return orders.length > 1 ? undefined : { ended: ended.promise, stop: () => ended.resolve('stopped') }
      },
    }),
  }
  const scans = createLineScans({
    self: 'G-1',
    now: () => Date.now(),
    findLine: (id) => (id === 'L1' ? line : undefined),
    send: (reply) => {
      replies.push(reply)
    },
  })
  const ask = (over: object = {}, args: object = {}) =>
    scans.receive({
      v: 1,
      id: 'scan-1',
      dev: 'G-1',
      do: 'scan',
      args: { line: 'L1', method: 'mbus-primary', ...args },
      iat: NOW,
      exp: NOW + 60_000,
      ...over,
    })
  const stop = () =>
    scans.receive({ v: 1, id: 'scan-1', dev: 'G-1', do: 'stopScan', iat: NOW, exp: NOW + 60_000 })
  return { replies, orders, ended, ask, stop, scans }
}

test('a search is accepted, reports its progress every 5 s and each found device at once, and reports its end', async () => {
  const { replies, orders, ended, ask } = start()
  expect(ask()).toBe(true)
  const [order] = orders
  order?.onProgress(progress)
  vi.advanceTimersByTime(5_000)
  order?.onProgress({ ...progress, requested: 6 })
  order?.onProgress({ ...progress, requested: 7, found: 1 })
  // No step is done while devices are due or the line is lost.
  vi.advanceTimersByTime(5_000)
  ended.resolve('done')
  await ended.promise
  vi.advanceTimersByTime(60_000)
  expect(replies.map(({ stage, code, res }) => [stage, code, res?.scan?.requested])).toEqual([
    ['accepted', 0, undefined],
    ['running', 0, 5],
    ['running', 0, 7],
    ['running', 0, 7],
    ['done', 0, 7],
  ])
  // A repeated message does not start it again.
  ask()
  expect(orders).toHaveLength(1)
})

test('a search is stopped by its id, and reports that it stopped', async () => {
  const { replies, ended, ask, stop } = start()
  ask()
  expect(stop()).toBe(true)
  await ended.promise
  expect(replies.at(-1)).toMatchObject({ stage: 'done', code: 0, msg: 'stopped' })
})

test.each([
  [{}, { line: 'L2' }, {}, 404],
  [{ dev: 'M-1' }, {}, {}, 404],
  [{ exp: NOW }, {}, {}, 410],
  [{}, {}, { isSearchable: false }, 501],
  [{}, {}, { isOpen: false }, 408],
])('a search %o of %o on a line %o is refused with %i', (over, args, given, code) => {
  const { replies, orders, ask } = start(given)
  ask(over, args)
  expect(replies).toMatchObject([{ stage: 'accepted', code }])
  expect(orders).toEqual([])
})

test('a second search of the same line is refused, and other messages are not taken', () => {
  const { replies, ask, scans } = start()
  ask()
  ask({ id: 'scan-2' })
  expect(replies.at(-1)).toMatchObject({ id: 'scan-2', stage: 'accepted', code: 429 })
  expect(scans.receive({ v: 1, id: 'r', dev: 'G-1', do: 'read', iat: NOW, exp: NOW + 1 })).toBe(false)
})
