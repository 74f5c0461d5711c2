import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AlarmsBench, startAlarmsBench } from '../alarms.testkit.ts'
import type { Transition } from '../engine/watches.ts'
import { writeChanges } from './write-changes.pg.ts'

/** One more than the signals list by id. */
const ROOMS = 5_001

const registry: RegistryFile = {
  v: 1,
  company: { tenant: 'demo', name: '示范供热', timeZone: 'Asia/Shanghai' },
  nodes: [
    { key: 'p', parent: null, kind: 'project', level: 1, name: '集团' },
    { key: 'c', parent: 'p', kind: 'group', level: 2, name: '公司' },
  ],
  devices: Array.from({ length: ROOMS }, (_, index) => ({
    serial: `R-${index}`,
    kind: 'room-sensor',
    name: `R-${index}`,
    model: 'T1',
    node: 'c',
    periodS: 60,
    concentrator: null,
  })),
}

let bench: AlarmsBench

beforeAll(async () => {
  bench = await startAlarmsBench(registry)
}, 60_000)
afterAll(() => bench.close())

test('faults that continue are raised again after more alarms were closed than a signal lists', async () => {
  const alarms = await bench.start()
  const readAll = () => {
    for (const { serial } of registry.devices) bench.read(alarms, serial, { 'temp.room': 15 })
  }
  const countOpen = async () => {
    bench.pass(2)
    const { byState } = await bench.db
      .selectFrom('alarm')
      .select((eb) => eb.fn.countAll<number>().as('byState'))
      .where('state', '=', 'active')
      .executeTakeFirstOrThrow()
    return byState
  }
  readAll()
  bench.pass(3_600, 600_000)
  readAll()
  await expect.poll(countOpen, { timeout: 30_000 }).toBe(ROOMS)
  const closed = await alarms.handlers.editAlarms(
    { nodes: ['-1'], filter: [], suppressed: false, close: true },
    bench.toCall(),
  )
  expect(closed).toEqual({ affected: ROOMS })
  await expect
    .poll(
      () => {
        readAll()
        bench.pass(600, 600_000)
        return countOpen()
      },
      { timeout: 30_000 },
    )
    .toBe(ROOMS)
}, 90_000)

test('replicas that store the same alarms in opposite orders wait for each other, and none fails', async () => {
  const rooms = await bench.db.selectFrom('device').select('id').where('kind', '=', 'room-sensor').execute()
  const at = bench.clock.now() + 1_000
  const toChanges = (op: Transition['op'], ids: readonly number[]): Transition[] =>
    ids.map((deviceId, index) => ({ op, kind: 'battery-low', originator: { deviceId }, at: at + index }))
  const ids = rooms.map(({ id }) => id)
  const backwards = ids.toReversed()
  for (const op of ['raised', 'cleared', 'raised'] as const)
    await Promise.all(
      [ids, backwards, ids, backwards].map((order) => writeChanges(bench.db, toChanges(op, order), at)),
    )
  const stored = await bench.db.selectFrom('alarm').select('id').where('kind', '=', 'battery-low').execute()
  expect(stored).toHaveLength(ROOMS)
}, 90_000)
