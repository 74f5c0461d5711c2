import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AlarmsBench, startAlarmsBench } from '../alarms.testkit.ts'
import type { Alarms } from '../index.ts'

const toMeter = (serial: string) => ({
  serial,
  kind: 'heat-meter' as const,
  name: serial,
  model: 'T1',
  node: 'c',
  periodS: 60,
  concentrator: null,
})
const registry: RegistryFile = {
  v: 1,
  company: { tenant: 'demo', name: '示范供热', timeZone: 'Asia/Shanghai' },
  nodes: [
    { key: 'p', parent: null, kind: 'project', level: 1, name: '集团' },
    { key: 'c', parent: 'p', kind: 'group', level: 2, name: '公司' },
  ],
  devices: ['M-1', 'M-2'].map(toMeter),
}

let bench: AlarmsBench
let first: Alarms
let second: Alarms

beforeAll(async () => {
  bench = await startAlarmsBench(registry)
  const alarms = await bench.start()
  const rule = { kind: 'sensors-swapped' as const, node: await bench.nodeKey('c'), deviceKinds: [] }
  const delays = { raiseAfterS: 600, clearAfterS: 600 }
  await alarms.handlers.addAlarmRule(
    { ...rule, ...alarmKinds['sensors-swapped'].standard, ...delays },
    bench.toCall(),
  )
  await alarms.close()
  first = await bench.start()
  second = await bench.start()
})
afterAll(() => bench.close())

const toFinding = (serial: string, until?: number) =>
  ({ deviceId: bench.idOf(serial), rule: 'swapped-sensors', since: bench.clock.now(), until }) as const

/** A finding starts, and one replica records it. */
function begin(noting: Alarms, serial: string): void {
  const finding = toFinding(serial)
  bench.show([finding])
  noting.observeFindings([finding])
}

function end(noting: Alarms, serial: string): void {
  bench.show([])
  noting.observeFindings([toFinding(serial, bench.clock.now())])
}

/** Stored alarms after a number of minutes; the changes of each minute are stored before the next. */
async function after(minutes: number): Promise<readonly string[]> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const reviews = bench.countReviews()
    bench.pass(60)
    await vi.waitUntil(() => bench.countReviews() === reviews + 2, { timeout: 30_000, interval: 5 })
  }
  return bench.list()
}

test('A8: a finding raises nothing if another replica sees its end during the delay', async () => {
  begin(first, 'M-1')
  expect(await after(5)).toEqual([])
  end(second, 'M-1')
  expect(await after(15)).toEqual([])
})

test('A8: a finding that returns while another replica clears it stays raised, and clears at its end', async () => {
  begin(first, 'M-2')
  expect(await after(15)).toEqual(['sensors-swapped M-2 active'])
  end(second, 'M-2')
  expect(await after(5)).toEqual(['sensors-swapped M-2 active'])
  begin(first, 'M-2')
  expect(await after(15)).toEqual(['sensors-swapped M-2 active'])
  end(first, 'M-2')
  expect(await after(15)).toEqual(['sensors-swapped M-2 cleared'])
})
