import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type AlarmsBench, startAlarmsBench } from '../alarms.testkit.ts'

let bench: AlarmsBench

beforeAll(async () => {
  bench = await startAlarmsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())
afterEach(() => bench.stop())

test('a rule that is added on one replica applies on all, and each notifies its listeners', async () => {
  const [first, second] = [await bench.start(), await bench.start()]
  const received: string[] = []
  first.onRules(() => received.push('first'))
  second.onRules(() => received.push('second'))
  const rule = { ...alarmKinds['room-cold'].standard, raiseAt: 21, clearAt: 21, raiseAfterS: 0 }
  const node = await bench.nodeKey('b2')
  await first.handlers.addAlarmRule({ kind: 'room-cold', node, deviceKinds: [], ...rule }, bench.toCall())
  // Less than a minute passes: the periodic reload of rules does not run.
  const read = () => {
    bench.read(second, 'R-b2u1', { 'temp.room': 20 })
    bench.pass(0.5)
    return bench.list()
  }
  await expect.poll(read, { interval: 200 }).toEqual(['room-cold R-b2u1 active'])
  expect(received.toSorted()).toEqual(['first', 'second'])
})

test('A7: the hours of a rule are in the current time zone of its company', async () => {
  const alarms = await bench.start()
  const hour = new Date(bench.clock.now()).getUTCHours()
  const hours = { from: hour, to: (hour + 2) % 24 }
  const rule = { ...alarmKinds['room-cold'].standard, raiseAt: 21, clearAt: 21, raiseAfterS: 0, hours }
  const node = await bench.nodeKey('p')
  await alarms.handlers.addAlarmRule({ kind: 'room-cold', node, deviceKinds: [], ...rule }, bench.toCall())
  const companies = bench.db.updateTable('company')
  const { time_zone } = await bench.db.selectFrom('company').select('time_zone').executeTakeFirstOrThrow()
  onTestFinished(async () => void (await companies.set({ time_zone }).execute()))
  for (const [zone, expected] of [
    ['Asia/Shanghai', []],
    ['UTC', ['room-cold R-b2u1 active']],
  ] as const) {
    await companies.set({ time_zone: zone }).execute()
    const seen = bench.countReviews()
    bench.pass(62)
    await expect.poll(bench.countReviews).toBeGreaterThan(seen)
    bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
    await bench.becomes(expected)
  }
})
