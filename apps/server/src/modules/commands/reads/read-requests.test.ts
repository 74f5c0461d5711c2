import { replyCodes } from '@isotherm/contract/mqtt'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startCommandsBench, toDispatch, toReply } from '../commands.testkit.ts'
import type { Commands } from '../index.ts'

let bench: Awaited<ReturnType<typeof startCommandsBench>>
let commands: Commands

beforeAll(async () => {
  bench = await startCommandsBench()
}, 120_000)
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  await bench.db.deleteFrom('read_request').execute()
  commands = await bench.start()
})
afterEach(() => commands.close())

const from = { tenant: 'test', gateway: 'C1' }
const ask = (serial = 'M1') => commands.reads.request(toDispatch(), bench.idOf(serial))
const look = (serial = 'M1') => commands.reads.find(toDispatch().caller, bench.idOf(serial))

it('asks the gateway of a device, and shows when it and the device answered', async () => {
  const { id, outcome } = await ask()
  expect(outcome).toBe('waiting')
  await expect.poll(() => bench.published).toHaveLength(1)
  expect(bench.published[0]).toMatchObject({
    topic: 'hx/v1/test/C1/down/cmd',
    body: { v: 1, id, dev: 'M1', do: 'read' },
  })
  bench.clock.shiftMs = 400
  expect(await commands.acceptReply(from, toReply(id, 'M1', 'accepted'))).toBeUndefined()
  const waiting = await look()
  expect(waiting?.outcome).toBe('waiting')
  bench.clock.shiftMs = 2_000
  await commands.acceptReply(from, toReply(id, 'M1', 'done'))
  const answered = await look()
  expect(answered).toMatchObject({ id, outcome: 'answered', actor: 'dispatcher', code: 0 })
  // The first answer of the gateway stays.
  expect(answered?.gatewayAt).toBe(waiting?.gatewayAt)
  expect(answered?.endedAt).toBeGreaterThan(answered?.gatewayAt ?? Number.NaN)
})

it('lets two people wait for the same answer, and asks again after it', async () => {
  const [first, second] = await Promise.all([ask(), ask()])
  expect(second.id).toBe(first.id)
  await commands.acceptReply(from, toReply(first.id, 'M1', 'done'))
  const next = await ask()
  expect(next.id).not.toBe(first.id)
  await expect.poll(() => bench.published).toHaveLength(2)
})

it('does not send to a gateway that is offline, and ends at once', async () => {
  bench.broker.gone.add('C1')
  expect(await ask()).toMatchObject({ outcome: 'gateway-offline' })
  expect(bench.published).toEqual([])
  bench.broker.gone.clear()
  expect(await ask()).toMatchObject({ outcome: 'waiting' })
})

it('ends by its time: the gateway was silent, or its device', async () => {
  const { id } = await ask()
  await ask('V1')
  await commands.acceptReply(from, toReply(id, 'M1', 'accepted'))
  bench.clock.shiftMs = MINUTE_MS
  expect([await look('M1'), await look('V1')]).toMatchObject([
    { outcome: 'device-silent' },
    { outcome: 'gateway-silent' },
  ])
  // An answer that comes later still counts: the device was read.
  await commands.acceptReply(from, toReply(id, 'M1', 'done'))
  expect(await look('M1')).toMatchObject({ outcome: 'answered' })
})

it.each([
  ['accepted', replyCodes.unsupported, 'unsupported'],
  ['accepted', replyCodes.badArguments, 'unsupported'],
  ['accepted', replyCodes.noSuchChild, 'unknown-device'],
  ['done', replyCodes.busTimeout, 'device-silent'],
  ['done', replyCodes.locked, 'failed'],
] as const)('%s with code %i means %s', async (stage, code, outcome) => {
  const { id } = await ask()
  await commands.acceptReply(from, toReply(id, 'M1', stage, code))
  expect(await look()).toMatchObject({ outcome, code })
  // It has ended: a later reply changes nothing.
  await commands.acceptReply(from, toReply(id, 'M1', 'done'))
  expect(await look()).toMatchObject({ outcome, code })
})

it('takes an answer only from the gateway of the device, for the device', async () => {
  const { id } = await ask()
  const isRefused = 'unknown-command'
  expect(await commands.acceptReply({ tenant: 'test', gateway: 'C2' }, toReply(id, 'M1', 'done'))).toBe(
    isRefused,
  )
  expect(await commands.acceptReply({ tenant: 'other', gateway: 'C1' }, toReply(id, 'M1', 'done'))).toBe(
    isRefused,
  )
  expect(await commands.acceptReply(from, toReply(id, 'V1', 'done'))).toBe(isRefused)
  expect(await commands.acceptReply(from, toReply('read-none', 'M1', 'done'))).toBe(isRefused)
  expect(await commands.acceptReply(from, toReply('read-\u0000', 'M1', 'done'))).toBe(isRefused)
  expect(await commands.acceptReply(from, toReply('\u0000', 'M1', 'done'))).toBe(isRefused)
  expect(await look()).toMatchObject({ outcome: 'waiting' })
})

it('retains requests for a day', async () => {
  await ask()
  bench.clock.shiftMs = 2 * DAY_MS
  expect(await look()).toBeNull()
  await ask('V1')
  const rows = await bench.db.selectFrom('read_request').selectAll().execute()
  expect(rows).toHaveLength(1)
})
