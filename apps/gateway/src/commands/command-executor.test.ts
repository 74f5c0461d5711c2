import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { MetricName } from '@isotherm/contract/metrics'
import { replyCodes } from '@isotherm/contract/mqtt'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { afterEach, expect, test } from 'vitest'
import type { Line, WriteOrder, WriteOutcome } from '../field/line.ts'
import { openStore } from '../store/open-store.ts'
import { type CommandExecutor, createCommandExecutor } from './command-executor.ts'
import { createJournal, type Reply } from './journal.ts'

const START = Date.UTC(2026, 10, 27, 12)
const profile = shippedProfiles.find(({ id }) => id === 'valve-modulating-modbus')
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

/** A valve that answers as `outcome` says and shows `opening`. */
interface Valve {
  outcome: WriteOutcome
  opening: number | undefined
  /** Set: the line is busy until it resolves. */
  busy: Promise<void>
  readonly writes: number[]
}

function open(folder = mkdtempSync(join(tmpdir(), 'isotherm-commands-'))) {
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const store = openStore(folder)
  closers.push(store.close)
  const clock = { ms: START, jumpMs: 0 }
  const journal = createJournal(store, () => clock.ms + clock.jumpMs)
  const valve: Valve = { outcome: 'acknowledged', opening: 20, busy: Promise.resolve(), writes: [] }
  const replies: Reply[] = []
  const line: { -readonly [Key in 'write' | 'read' | 'reportsItself']: Line[Key] } = {
    reportsItself: false,
    async write({ value, confirmStart }: WriteOrder) {
      await valve.busy
      if (valve.outcome === 'expired' || valve.outcome === 'unsupported') return valve.outcome
      if (!confirmStart()) return 'withdrawn'
      valve.writes.push(value)
      if (valve.outcome === 'acknowledged') valve.opening = value
      return valve.outcome
    },
    async read() {
      // The next report comes by itself.
      if (line.reportsItself) await new Promise((resolve) => setImmediate(resolve))
      if (valve.opening === undefined) return undefined
      return { at: clock.ms - 7, values: new Map<MetricName, number>([['valve.opening', valve.opening]]) }
    },
  }
  if (profile === undefined) throw new Error('no profile')
  const entry: { line: typeof line; profile: DeviceProfile } = { line, profile }
  const executor: CommandExecutor = createCommandExecutor({
    self: 'G1',
    journal,
    now: () => clock.ms + clock.jumpMs,
    monotonic: () => clock.ms,
    find: (serial) => (serial === 'V1' ? entry : undefined),
    send: (reply) => replies.push(reply),
    wait: async (ms) => {
      clock.ms += ms
    },
  })
  return { folder, store, line, entry, executor, valve, replies, journal, clock }
}

const command = (rev: number, opening: number, given: object = {}) => ({
  v: 1,
  id: `c${rev}`,
  dev: 'V1',
  do: 'valve.set',
  args: { opening },
  iat: START,
  exp: START + 60_000,
  rev,
  ...given,
})
const shortly = (replies: readonly Reply[]) => replies.map(({ id, stage, code }) => `${id} ${stage} ${code}`)

test('writes a command, reads the valve until it has arrived, and reports both', async () => {
  const { executor, valve, replies, clock } = open()
  executor.receive(command(1, 60))
  await expect.poll(() => shortly(replies)).toEqual(['c1 accepted 0', 'c1 done 0'])
  // Done when the reading that shows it was measured, so that this reading confirms it.
  expect(replies.at(-1)).toMatchObject({ res: { opening: 60 }, ts: clock.ms - 7 })
  expect(valve.writes).toEqual([60])
})

test('a repeated command gets the same reply again and is not written again', async () => {
  const { executor, valve, replies } = open()
  executor.receive(command(1, 60))
  await expect.poll(() => replies.length).toBe(2)
  executor.receive(command(1, 60))
  expect(replies).toHaveLength(3)
  expect(replies[2]).toEqual(replies[1])
  expect(valve.writes).toEqual([60])
})

test.each([
  ['of an expired command', command(1, 60, { exp: START }), replyCodes.expired],
  ['to a device that no line has', command(1, 60, { dev: 'V9' }), replyCodes.noSuchChild],
  [
    'with a closing time that the device cannot hold',
    command(1, 60, { args: { opening: 60, maxSec: 9 } }),
    replyCodes.unsupported,
  ],
  ['that is malformed', command(1, 160), replyCodes.badArguments],
])('refuses an order %s', (_, message, code) => {
  const { executor, valve, replies } = open()
  executor.receive(message)
  expect(replies.map((reply) => reply.code)).toEqual([code])
  expect(valve.writes).toEqual([])
})

test('an older revision is refused, also after a restart', async () => {
  const first = open()
  first.executor.receive(command(7, 60))
  await expect.poll(() => first.replies.length).toBe(2)
  const { executor, valve, replies } = open(first.folder)
  executor.receive(command(6, 30))
  expect(shortly(replies)).toEqual([`c6 accepted ${replyCodes.superseded}`])
  expect(valve.writes).toEqual([])
})

test('a newer command replaces one that waits for its line', async () => {
  const { executor, valve, replies } = open()
  const busy = Promise.withResolvers<void>()
  valve.busy = busy.promise
  executor.receive(command(1, 60))
  executor.receive(command(2, 30))
  busy.resolve()
  await expect
    .poll(() => shortly(replies).toSorted())
    .toEqual([`c1 accepted ${replyCodes.superseded}`, 'c2 accepted 0', 'c2 done 0'])
  expect(valve.writes).toEqual([30])
})

test('a process that is killed while a command waits: the next one writes it', async () => {
  const first = open()
  first.valve.busy = new Promise(() => undefined)
  first.executor.receive(command(1, 60))
  const { executor, valve, replies } = open(first.folder)
  executor.resume()
  await expect.poll(() => shortly(replies)).toEqual(['c1 accepted 0', 'c1 done 0'])
  expect(valve.writes).toEqual([60])
})

test('a process that is killed after the write: the next one only reads back', async () => {
  const first = open()
  first.journal.accept({ id: 'c1', dev: 'V1', do: 'valve.set', value: 60, exp: START + 60_000 }, 1)
  first.journal.markWritten('c1')
  const { executor, valve, replies } = open(first.folder)
  valve.opening = 60
  executor.resume()
  await expect.poll(() => shortly(replies)).toEqual(['c1 done 0'])
  expect(valve.writes).toEqual([])
})

test('without an answer to the write the valve decides: it arrived, it did not, or it is silent', async () => {
  const arrived = open()
  Object.assign(arrived.valve, { outcome: 'silence', opening: 60 })
  arrived.executor.receive(command(1, 60))
  await expect.poll(() => shortly(arrived.replies)).toEqual(['c1 done 0'])
  const stayed = open()
  stayed.valve.outcome = 'silence'
  stayed.executor.receive(command(1, 60))
  await expect.poll(() => shortly(stayed.replies)).toEqual([`c1 done ${replyCodes.deviceFailure}`])
  expect(stayed.replies[0]?.res).toEqual({ opening: 20 })
  const silent = open()
  Object.assign(silent.valve, { outcome: 'silence', opening: undefined })
  silent.executor.receive(command(1, 60))
  await expect.poll(() => shortly(silent.replies)).toEqual([`c1 done ${replyCodes.busTimeout}`])
  expect([arrived.valve.writes, stayed.valve.writes, silent.valve.writes]).toEqual([[60], [60], [60]])
})

test('a refusal of the device and a line that stays away end the command', async () => {
  const refused = open()
  refused.valve.outcome = 'refused'
  refused.executor.receive(command(1, 60))
  await expect.poll(() => shortly(refused.replies)).toEqual([`c1 done ${replyCodes.deviceFailure}`])
  const away = open()
  away.valve.outcome = 'expired'
  away.executor.receive(command(1, 60))
  await expect.poll(() => shortly(away.replies)).toEqual([`c1 accepted ${replyCodes.expired}`])
})

test('a reply that the broker has not acknowledged is sent again by the next process', async () => {
  const first = open()
  first.executor.receive(command(1, 60))
  await expect.poll(() => first.replies.length).toBe(2)
  const [, done] = first.replies
  const second = open(first.folder)
  second.executor.resume()
  expect(second.replies).toEqual([done])
  if (done !== undefined) second.journal.markReported(done)
  const third = open(first.folder)
  third.executor.resume()
  expect(third.replies).toEqual([])
})

test('without a journal a command is refused and not written, and a result is reported all the same', async () => {
  const { executor, valve, replies, store } = open()
  let setFree: () => void = () => undefined
  valve.busy = new Promise((resolve) => {
    setFree = resolve
  })
  executor.receive(command(1, 40))
  store.db.exec('pragma query_only = 1')
  executor.receive(command(2, 60, { dev: 'V1', do: 'valve.set' }))
  expect(shortly(replies)).toEqual(['c2 accepted 500'])
  setFree()
  await expect.poll(() => shortly(replies)).toEqual(['c2 accepted 500', 'c1 accepted 500'])
  expect(valve.writes).toEqual([])
  store.db.exec('pragma query_only = 0')
  executor.receive(command(3, 70))
  await expect.poll(() => shortly(replies).slice(2)).toEqual(['c3 accepted 0', 'c3 done 0'])
  expect(valve.writes).toEqual([70])
})

test('a clock that jumps while a valve travels neither ends nor prolongs the wait for it', async () => {
  for (const jumpMs of [-86_400_000, 86_400_000]) {
    const { executor, valve, replies, clock } = open()
    valve.outcome = 'silence'
    executor.receive(command(1, 60))
    clock.jumpMs = jumpMs
    await expect.poll(() => shortly(replies)).toEqual(['c1 done 500'])
    expect(clock.ms - START).toBeGreaterThan(4 * 60_000)
    expect(clock.ms - START).toBeLessThan(6 * 60_000)
  }
})

test('a valve that reports by itself has the validity of its command, and is not reported as started', async () => {
  const { executor, valve, replies, clock, line } = open()
  line.reportsItself = true
  valve.opening = 20
  valve.outcome = 'silence'
  executor.receive(command(1, 60, { exp: START + 3_600_000 }))
  await expect.poll(() => valve.writes).toEqual([60])
  clock.ms += 3_000_000
  valve.opening = 60
  await expect.poll(() => shortly(replies)).toEqual(['c1 done 0'])
})

test('a valve that shows no opening is done by its acknowledgement, and not without one', async () => {
  for (const [outcome, code] of [
    ['acknowledged', replyCodes.ok],
    ['silence', replyCodes.busTimeout],
  ] as const) {
    const { executor, valve, replies, entry } = open()
    const { bus } = entry.profile
    if (bus.driver !== 'modbus') throw new Error('another profile')
    entry.profile = { ...entry.profile, bus: { ...bus, readings: [] } }
    valve.outcome = outcome
    executor.receive(command(1, 60))
    await expect.poll(() => replies.at(-1)).toMatchObject({ stage: 'done', code })
  }
})

const read = (dev: string, given: object = {}) => ({
  v: 1,
  id: 'read-1',
  dev,
  do: 'read',
  iat: START,
  exp: START + 60_000,
  ...given,
})

test('reads a device on request: the gateway answers at once, the device when it was read, and nothing is written', async () => {
  const { executor, valve, replies, clock } = open()
  executor.receive(read('V1'))
  expect(shortly(replies)).toEqual(['read-1 accepted 0'])
  await expect.poll(() => shortly(replies)).toEqual(['read-1 accepted 0', 'read-1 done 0'])
  expect(replies.at(-1)?.ts).toBe(clock.ms - 7)
  expect(valve.writes).toEqual([])
})

test('reports why a device was not read', async () => {
  const { executor, line, valve, replies } = open()
  valve.opening = undefined
  executor.receive(read('V1'))
  await expect
    .poll(() => shortly(replies))
    .toEqual(['read-1 accepted 0', `read-1 done ${replyCodes.busTimeout}`])
  line.reportsItself = true
  for (const message of [read('V1'), read('V9'), read('V1', { exp: START })]) executor.receive(message)
  const { unsupported, noSuchChild, expired } = replyCodes
  expect(shortly(replies.slice(2))).toEqual(
    [unsupported, noSuchChild, expired].map((code) => `read-1 accepted ${code}`),
  )
})

test('answers for itself at once', async () => {
  const { executor, replies } = open()
  executor.receive(read('G1'))
  await expect.poll(() => shortly(replies)).toEqual(['read-1 accepted 0', 'read-1 done 0'])
})

test('a valve that closes by itself gets the closing time with its order, also after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-commands-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const timed = shippedProfiles.find(({ id }) => id === 'valve-milesight-uc511')
  if (!timed) throw new Error('no profile')
  const orders: WriteOrder[] = []
  const started = Promise.withResolvers<void>()
  const start = (end: Promise<WriteOutcome>) => {
    const store = openStore(folder)
    const line = {
      reportsItself: true,
      write(order: WriteOrder) {
        orders.push(order)
        started.resolve()
        return end
      },
      read: async () => ({ at: START, values: new Map<MetricName, number>([['valve.opening', 100]]) }),
    }
    const replies: Reply[] = []
    const executor = createCommandExecutor({
      self: 'G',
      journal: createJournal(store, () => START),
      now: () => START,
      find: () => ({ profile: timed, line }),
      send: (reply) => replies.push(reply),
      wait: async () => undefined,
    })
    return { executor, store, replies }
  }
  const first = start(new Promise(() => undefined))
  first.executor.receive(command(1, 100, { args: { opening: 100, maxSec: 600 } }))
  await started.promise
  first.executor.close()
  first.store.close()
  const second = start(Promise.resolve('acknowledged'))
  second.executor.resume()
  await expect.poll(() => shortly(second.replies)).toEqual(['c1 done 0'])
  expect(orders.map(({ value, maxSec }) => [value, maxSec])).toEqual([
    [100, 600],
    [100, 600],
  ])
  second.store.close()
})

test('an order with a closing time is refused if the device has a profile without one after a restart', async () => {
  const timed = shippedProfiles.find(({ id }) => id === 'valve-milesight-uc511')
  if (!timed) throw new Error('no profile')
  const first = open()
  first.entry.profile = timed
  first.valve.busy = new Promise(() => undefined)
  first.executor.receive(command(1, 100, { args: { opening: 100, maxSec: 600 } }))
  expect(first.replies).toEqual([])
  const { executor, valve, replies } = open(first.folder)
  executor.resume()
  await expect.poll(() => shortly(replies)).toEqual([`c1 accepted ${replyCodes.unsupported}`])
  expect(valve.writes).toEqual([])
})
