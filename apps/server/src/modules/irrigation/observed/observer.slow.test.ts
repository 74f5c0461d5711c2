import type { Endpoint } from '@isotherm/contract/endpoint'
import {
  getIrrigation,
  getIrrigationRuns,
  setIrrigationGroup,
  setIrrigationSource,
} from '@isotherm/contract/endpoints/control/irrigation'
import { irrigationSource } from '@isotherm/contract/irrigation'
import { metrics, quality } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { startTestServer } from '../../../testing/server.testkit.ts'
import { readQuiet } from '../storage/protection.pg.ts'
import { claimLooks } from './observed-runs.pg.ts'
import { observeSources } from './observer.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Full minutes ago, so that readings have whole seconds. */
const ago = (minutes: number) => Math.floor(systemClock.now() / MINUTE_MS) * MINUTE_MS - minutes * MINUTE_MS
let seq = 0
/** Readings as a gateway sends them later: what it stores is only the history. */
const report = (
  device: number,
  metric: 'valve.opening' | 'heat.flow',
  values: readonly (readonly [number, number])[],
  bits = 0,
) =>
  server.clickhouse.insert({
    table: 'readings',
    values: values.map(([ts, value]) => ({
      device,
      metric: metrics[metric].id,
      ts,
      value,
      quality: bits,
      received: Date.now(),
      node: 1,
      boot: 1,
      seq: ++seq,
      live: 0,
    })),
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_input_format: 'basic' },
  })
/** Looks at what is due: at once, without the pause between two looks. */
async function observe(clickhouse = server.clickhouse) {
  await server.db.updateTable('irrigation_source').set({ look_ms: 0 }).execute()
  await observeSources({
    db: server.db,
    clickhouse,
    clock: systemClock,
    log: createLog({ logLevel: 'silent' }),
  })
}
/** A store whose answers about one valve fail. */
const createFailing = (client: typeof server.clickhouse, deviceId: number): typeof server.clickhouse =>
  new Proxy(client, {
    get(target, key) {
      if (key !== 'query') return Reflect.get(target, key)
      return (options: Parameters<typeof client.query>[0]) =>
        options.query_params?.deviceId === deviceId
          ? Promise.reject(new Error('the store is away'))
          : target.query(options)
    },
  })
const runIds = async () =>
  (await server.db.selectFrom('irrigation_run').select('id').orderBy('id').execute()).map(({ id }) => id)

test('what valves reported before the source was set up is in its history, and what comes later is added', async () => {
  const deviceId = await server.deviceId('V-b2u1')
  const [began, ended] = [ago(20 * 24 * 60), ago(20 * 24 * 60 - 10)]
  await report(deviceId, 'valve.opening', [
    [began - HOUR_MS, 0],
    [began, 100],
    [ended, 0],
  ])
  await report(deviceId, 'heat.flow', [[began, 6]])
  await server.createAccount('keeper', ['pe-irrigation', 'pe-fmcontrol'], ['s1'])
  const { 'ht-api': token } = await server.logIn('keeper')
  const callOk = async (endpoint: Endpoint, input: unknown) => {
    const { code, data } = await server.call(endpoint, input, token)
    expect(code).toBeUndefined()
    return data
  }
  const node = await server.nodeKey('s1')
  const settings = { name: '泵站', capacityM3H: 20, leadS: 0, groupDelayS: 0, afterOutage: 'resume' }
  const { id: sourceId } = irrigationSource.parse(await callOk(setIrrigationSource, { node, settings }))
  const group = { name: '东区', mode: 'parallel', valves: [{ deviceId, flowM3H: 5, maxS: 3_600 }] }
  const source = irrigationSource.parse(await callOk(setIrrigationGroup, { sourceId, settings: group }))
  const groupId = source.groups[0]?.id
  const history = () => callOk(getIrrigationRuns, { sourceId, limiter: { page: 1, size: 10 } })

  await observe()
  const run = {
    isObserved: true,
    name: '',
    actor: '',
    state: 'done',
    beganMs: began,
    endedMs: ended,
    steps: [{ groupId, valveIds: [deviceId], state: 'closed', openedMs: began, closedMs: ended }],
  }
  const first = await history()
  expect(first).toMatchObject({
    total: 1,
    datalist: [run],
    groups: [{ groupId, volumeM3: expect.closeTo(1, 6) }],
  })
  // Water of the past weeks is none of today, and what was looked at twice is there once.
  await observe()
  expect(await history()).toEqual(first)
  expect(await callOk(getIrrigation, {})).toMatchObject({ datalist: [{ usedTodayM3: 0 }] })

  // A gateway sends a day later what it had buffered, and a correction.
  const [later, end] = [ago(20 * 24 * 60 - 200), ago(20 * 24 * 60 - 230)]
  await report(deviceId, 'valve.opening', [
    [later, 100],
    [end, 0],
  ])
  await observe()
  expect(await history()).toMatchObject({
    total: 2,
    datalist: [{ beganMs: later, measuredM3: 0, volumeM3: expect.closeTo(2.5, 6) }, run],
  })

  // Water of people is no run that the protections wait for.
  await sql`update irrigation_source set settings = settings || '{"stationId": 7}'`.execute(server.db)
  expect(await readQuiet(server.db, { stationId: 7 }, ended + HOUR_MS)).toEqual({
    isOpen: false,
    closedMs: 0,
  })
  await sql`update irrigation_source set settings = settings - 'stationId'`.execute(server.db)

  // What a gateway repeated or made up is no water.
  for (const bits of [quality.stale, quality.substituted, quality.implausible, quality.maintenance])
    await report(deviceId, 'valve.opening', [[ended + bits * MINUTE_MS, 100]], bits)
  await observe()
  expect(await history()).toMatchObject({ total: 2 })

  // A change of the group rewrites no history, nor does a valve that leaves it.
  const before = await runIds()
  const [stored] = source.groups
  const changed = (valves: readonly unknown[], name = '东区') =>
    callOk(setIrrigationGroup, {
      sourceId,
      id: groupId,
      version: stored?.version,
      settings: { ...group, name, valves },
    })
  const other = { deviceId: await server.deviceId('V-b2u2'), flowM3H: 5, maxS: 3_600 }
  const [edited] = irrigationSource.parse(await changed([other], '西区')).groups
  await observe()
  expect(await runIds()).toEqual(before)

  // A valve that another group gets takes its water there; a failure of one source leaves the others alone.
  const second = irrigationSource.parse(await callOk(setIrrigationSource, { node, settings }))
  await callOk(setIrrigationGroup, { sourceId: second.id, settings: group })
  expect(edited?.id).toBe(groupId)
  await report(other.deviceId, 'valve.opening', [
    [began, 100],
    [ended, 0],
  ])
  const failing = createFailing(server.clickhouse, other.deviceId)
  await observe(failing)
  expect(await history()).toMatchObject({ total: 0 })
  expect(
    await callOk(getIrrigationRuns, { sourceId: second.id, limiter: { page: 1, size: 10 } }),
  ).toMatchObject({
    total: 2,
    groups: [{ volumeM3: expect.closeTo(3.5, 6) }],
  })
  // It is made up for. Two replicas look at a source once.
  await observe()
  expect(await history()).toMatchObject({ total: 1 })
  const [first2, again] = await Promise.all([claimLooks(server.db, 0, 1), claimLooks(server.db, 0, 1)])
  expect(first2.length + again.length).toBe(2)

  // A valve that opens each five minutes for two weeks has more rows than one statement takes.
  const many = Array.from({ length: 4_000 }, (_, index) => began + DAY_MS + index * 5 * MINUTE_MS)
  await report(
    other.deviceId,
    'valve.opening',
    many.flatMap((ts) => [[ts, 100] as const, [ts + MINUTE_MS, 0] as const]),
  )
  await observe()
  expect(await history()).toMatchObject({ total: 4_001 })
})
