import type { Endpoint } from '@isotherm/contract/endpoint'
import {
  getIrrigation,
  getIrrigationRuns,
  setIrrigationGroup,
  setIrrigationSource,
} from '@isotherm/contract/endpoints/control/irrigation'
import { irrigationSource } from '@isotherm/contract/irrigation'
import { metrics } from '@isotherm/contract/metrics'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { startTestServer } from '../../../testing/server.testkit.ts'
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
) =>
  server.clickhouse.insert({
    table: 'readings',
    values: values.map(([ts, value]) => ({
      device,
      metric: metrics[metric].id,
      ts,
      value,
      quality: 0,
      received: Date.now(),
      node: 1,
      boot: 1,
      seq: ++seq,
      live: 0,
    })),
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_input_format: 'basic' },
  })
const observe = () =>
  observeSources({
    db: server.db,
    clickhouse: server.clickhouse,
    clock: systemClock,
    log: createLog({ logLevel: 'silent' }),
  })

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
})
