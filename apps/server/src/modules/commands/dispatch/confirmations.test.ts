import { expect, test, vi } from 'vitest'
import type { Log } from '../../../platform/log.ts'
import type { AwaitingCommand } from '../model/records.ts'
import { type ConfirmationsNeeds, createConfirmations } from './confirmations.ts'

const command: AwaitingCommand = { id: 'c', deviceId: 1, kind: 'valve.set', target: 40, doneAt: 1_000 }
const pump: AwaitingCommand = { ...command, kind: 'pump.set', target: 100 }

function start(awaiting: readonly AwaitingCommand[] = []) {
  const apply = vi.fn(async () => 'confirmed' as const)
  const recordShown = vi.fn<ConfirmationsNeeds['recordShown']>(async () => undefined)
  const warn = vi.fn()
  const confirmations = createConfirmations({
    apply,
    recordShown,
    listAwaiting: async () => awaiting,
    clock: { now: () => 5_000 },
    log: { warn } as unknown as Log,
  })
  const read = (value: number, ts = 1_000, kind: AwaitingCommand['kind'] = 'valve.set') =>
    confirmations.observe({ deviceId: 1, ts, kind, value })
  return { ...confirmations, apply, recordShown, warn, read }
}

test('a reading at the setpoint within the tolerance confirms a command, and others do not', () => {
  const { expect: expectReading, read, apply } = start()
  expectReading(command)
  read(36.9)
  read(43.1)
  read(40, 1_000, 'pump.set')
  expect(apply).not.toHaveBeenCalled()
  read(37)
  expect(apply.mock.calls).toEqual([['c', 'confirmed', { at: 5_000, detail: '37 % at 1000' }]])
})

test('an offset is confirmed within a quarter of a kelvin', () => {
  const { expect: expectReading, read, apply } = start()
  expectReading({ ...command, kind: 'supply.set', target: 1.5 })
  read(1.2, 1_000, 'supply.set')
  read(1.5)
  expect(apply).not.toHaveBeenCalled()
  read(1.3, 1_000, 'supply.set')
  expect(apply.mock.calls).toEqual([['c', 'confirmed', { at: 5_000, detail: '1.3 K at 1000' }]])
})

test('the tolerance of an opening does not grow with its setpoint, unlike that of a head', () => {
  const { expect: expectReading, read, apply } = start()
  expectReading({ ...command, target: 90 })
  read(94)
  expect(apply).not.toHaveBeenCalled()
})

test('a head within its tolerance confirms the command of a pump', () => {
  const { expect: expectReading, read, apply } = start()
  expectReading(pump)
  read(105.1, 1_000, 'pump.set')
  expect(apply).not.toHaveBeenCalled()
  read(105, 1_000, 'pump.set')
  expect(apply.mock.calls).toEqual([['c', 'confirmed', { at: 5_000, detail: '105 kPa at 1000' }]])
})

test('a reading from before the device executed the command does not confirm it', () => {
  const { expect: expectReading, read, apply } = start()
  expectReading(command)
  read(40, 999)
  expect(apply).not.toHaveBeenCalled()
})

test('a reading that arrives before the reply `done` confirms the command, and an older reading does not replace it', async () => {
  const { reload, read, apply } = start([command])
  read(40, 2_000)
  read(70, 1_500)
  await reload()
  expect(apply).toHaveBeenCalledTimes(1)
})

test('what a valve shows after its command is stored if it does not confirm it, and nothing older', () => {
  const { expect: expectReading, read, recordShown } = start()
  expectReading(command)
  read(60, 999)
  expect(recordShown).not.toHaveBeenCalled()
  read(60)
  read(40, 2_000)
  expect(recordShown.mock.calls).toEqual([['c', { pct: 60, ts: 1_000 }]])
  expectReading(pump)
  read(60, 3_000, 'pump.set')
  expect(recordShown).toHaveBeenCalledOnce()
})

test('an opening that a valve shows again is not stored again for the same command, and a stored one that failed is', async () => {
  const { expect: expectReading, read, recordShown, warn } = start()
  recordShown.mockRejectedValueOnce(new Error('no database'))
  expectReading(command)
  read(60)
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), { timeout: 30_000 })
  read(60, 2_000)
  read(60, 3_000)
  read(61, 4_000)
  expectReading({ ...command, id: 'next' })
  expect(recordShown.mock.calls).toEqual([
    ['c', { pct: 60, ts: 1_000 }],
    ['c', { pct: 60, ts: 2_000 }],
    ['c', { pct: 61, ts: 4_000 }],
    ['next', { pct: 61, ts: 4_000 }],
  ])
})

test('commands that are read again store no opening: another replica may have stored a newer one', async () => {
  const { reload, read, recordShown } = start([command])
  read(60)
  await reload()
  expect(recordShown).not.toHaveBeenCalled()
  read(60, 2_000)
  expect(recordShown.mock.calls).toEqual([['c', { pct: 60, ts: 2_000 }]])
})

test('a confirmed or final command is no longer expected, and another command of the valve stays', async () => {
  const { expect: expectReading, forget, isExpected, read } = start()
  expectReading(command)
  forget({ id: 'other', deviceId: 1 })
  expect(isExpected(command)).toBe(true)
  expect(isExpected({ id: 'other', deviceId: 1 })).toBe(false)
  read(40)
  await vi.waitFor(() => expect(isExpected(command)).toBe(false), { timeout: 30_000 })
  expectReading({ ...command, id: 'next', doneAt: 9_000 })
  forget({ id: 'next', deviceId: 1 })
  expect(isExpected({ id: 'next', deviceId: 1 })).toBe(false)
})

test('a confirmation that could not be stored is retried with the next reading', async () => {
  const { expect: expectReading, isExpected, read, apply, warn } = start()
  apply.mockRejectedValueOnce(new Error('no database'))
  expectReading(command)
  read(40)
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1), { timeout: 30_000 })
  expect(isExpected(command)).toBe(true)
  read(41, 2_000)
  expect(apply).toHaveBeenCalledTimes(2)
})

test('a command that was done while the clock was ahead is confirmed by the readings after the clock was set back', () => {
  const { expect: expectReading, read, apply } = start()
  expectReading({ ...command, doneAt: 3_605_000 })
  read(40, 4_900)
  expect(apply).not.toHaveBeenCalled()
  read(40, 5_000)
  expect(apply).toHaveBeenCalledOnce()
})
