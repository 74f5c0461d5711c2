import { permissions } from '@isotherm/contract/access/permissions'
import type { HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import {
  addStationDevices,
  drawDays,
  storeHours,
  toControllerHours,
  toMeterHours,
} from './heated-station.testkit.ts'
import { dateOf } from './saving-periods.ts'

const SHANGHAI = createTimeZone('Asia/Shanghai')
const BEFORE_DAYS = 100
const AFTER_DAYS = 60
/** Midnight of the day of the change: a strategy started 61 days ago. */
const CHANGE = SHANGHAI.toInstant(Date.parse(dateOf(SHANGHAI, Date.now())) - (AFTER_DAYS + 1) * DAY_MS)
const at = (days: number): string => dateOf(SHANGHAI, CHANGE + days * DAY_MS + DAY_MS / 2)
const periods = {
  baseline: { from: at(-BEFORE_DAYS), to: at(-1) },
  after: { from: at(1), to: at(AFTER_DAYS) },
}
const before = drawDays(CHANGE - BEFORE_DAYS * DAY_MS, BEFORE_DAYS, 0)
const after = drawDays(CHANGE + DAY_MS, AFTER_DAYS, 0.1)
const sumOf = (days: readonly { readonly heatKwh: number }[]): number =>
  days.reduce((sum, { heatKwh }) => sum + heatKwh, 0)
/** What the second period would have taken. */
const TRUE_SAVED = sumOf(after) / 9

let server: TestServer
const tokens = new Map<string, string>()
const accounts = { planner: permissions, watcher: ['pe-enmonitor'], elsewhere: permissions } as const

beforeAll(async () => {
  // Every day is in the heating season, so that the test runs on any day of the year.
  server = await startTestServer({ settings: { ISOTHERM_HEATING_SEASON: '01-01/12-31' } })
  await server.createAccount('planner', accounts.planner, ['p'])
  await server.createAccount('watcher', accounts.watcher, ['s1'])
  await server.createAccount('elsewhere', accounts.elsewhere, ['s2'])
  for (const account of Object.keys(accounts)) tokens.set(account, (await server.logIn(account))['ht-api'])
  await addStationDevices(server)
  const device = await server.deviceId('K-s1')
  const days = [...before, ...after]
  const rows = days.flatMap((day, index) =>
    toControllerHours(device, day).filter(({ metric }, hour) => {
      // A day without three hours of flow, one without a night of weather, and one of ten times the heat.
      if (index === 5 && metric === 'heat.flow') return hour >= 15
      return index === 9 && metric === 'temp.outdoor' ? hour >= 30 : true
    }),
  )
  const [broken] = days.slice(20, 21)
  const implausible = rows.map((row) =>
    broken && row.metric === 'heat.flow' && row.at >= broken.from && row.at < broken.from + DAY_MS
      ? { ...row, mean: 10 * row.mean }
      : row,
  )
  await storeHours(server, implausible)
})
afterAll(() => server.stop())

const ask = (account: keyof typeof accounts, name: EndpointName, input: unknown) =>
  server.call(endpoints[name], input, tokens.get(account))

async function read(
  input: object = { periods },
  account: keyof typeof accounts = 'planner',
  serial = 'K-s1',
) {
  const { code, text, data } = await ask(account, 'getHeatSaving', {
    deviceId: await server.deviceId(serial),
    ...input,
  })
  if (code !== undefined) throw new Error(`${code} ${text}`)
  return endpoints.getHeatSaving.output.parse(data)
}

function known({ result }: HeatSavingAnswer) {
  if (result.kind !== 'known') throw new Error(result.kind)
  return result
}

test('returns the heat saved with its interval, line and quality, from flow and temperatures', async () => {
  const found = await read()
  expect(found).toMatchObject({ periodsBy: 'people', source: 'flow', stationName: '一号站' })
  expect(found.baseline).toMatchObject(periods.baseline)
  expect(found.baseline.counts).toEqual({
    used: BEFORE_DAYS - 3,
    withoutHeat: 1,
    withoutWeather: 1,
    implausible: 1,
    offSeason: 0,
  })
  expect(found.after.counts.used).toBe(AFTER_DAYS)
  expect(found.after.days).toHaveLength(AFTER_DAYS)
  expect(found.after.days[0]?.date).toBe(at(1))
  expect(found.after.days[0]?.heatKwh).toBeCloseTo(after[0]?.heatKwh ?? 0, 3)
  expect(found.after.days[0]?.outdoorC).toBeCloseTo(after[0]?.outdoorC ?? 0, 6)
  const { savedKwh, lowKwh, highKwh, measuredKwh, line, lineAfter, r2, cvRmsePct, isWithinLimits } =
    known(found)
  expect(measuredKwh).toBeCloseTo(sumOf(after), 0)
  expect(TRUE_SAVED).toBeGreaterThan(lowKwh)
  expect(TRUE_SAVED).toBeLessThan(highKwh)
  expect(savedKwh).toBeGreaterThan(0.8 * TRUE_SAVED)
  expect(savedKwh).toBeLessThan(1.2 * TRUE_SAVED)
  expect(line.slopeKwhK).toBeCloseTo(500, -2)
  expect(lineAfter?.slopeKwhK).toBeCloseTo(450, -2)
  expect(r2).toBeGreaterThan(0.95)
  expect(cvRmsePct).toBeLessThan(5)
  expect(isWithinLimits).toBe(true)
  expect(found.pump).toMatchObject({ days: AFTER_DAYS })
  expect(found.pump?.savedKwh).toBeCloseTo(AFTER_DAYS * 40, 3)
})

test('reads a counter of the station’s meter before all else', async () => {
  const [controller, meter] = [await server.deviceId('K-s2'), await server.deviceId('M-s2')]
  const days = [...before, ...after]
  // Without the day of the change, on which the counter goes on.
  await storeHours(server, [
    ...days.flatMap((day) => toControllerHours(controller, { ...day, heatKwh: 0.8 * day.heatKwh })),
    ...toMeterHours(meter, before),
    ...toMeterHours(meter, after, 90_000_000),
  ])
  const found = await read({ periods }, 'planner', 'K-s2')
  expect(found.source).toBe('meter')
  expect(found.baseline.counts.used).toBe(BEFORE_DAYS)
  expect(known(found).measuredKwh).toBeCloseTo(sumOf(after), 0)
})

test('compares before and after the first strategy if people choose no periods', async () => {
  expect(await read({})).toMatchObject({ periodsBy: 'seasons' })
  await sql`
    insert into strategy (company_id, node_id, station_node_id, station_name, plan, state, created_by, created_ms,
      started_ms, account, updated_ms)
    select company_id, id, id, name, '{}', 'paused', 'x', 0, ${CHANGE + DAY_MS / 2}, 'x', 0 from node where name = '一号站'`.execute(
    server.db,
  )
  const found = await read({})
  expect(found.periodsBy).toBe('strategy')
  expect(found.baseline.to).toBe(at(-1))
  expect(found.after).toMatchObject({ from: at(1), to: at(AFTER_DAYS) })
  expect(known(found).savedKwh).toBe(known(await read()).savedKwh)
  await sql`delete from strategy`.execute(server.db)
})

test('the answer has the reason why there is no saving', async () => {
  const refusalOf = async (chosen: Partial<typeof periods>) =>
    (await read({ periods: { ...periods, ...chosen } })).result
  expect(await refusalOf({ baseline: { from: at(-20), to: at(-1) } })).toEqual({
    kind: 'too-few-days',
    days: 20,
    needed: 21,
  })
  expect(await refusalOf({ baseline: { from: at(-300), to: at(-200) } })).toEqual({
    kind: 'not-measured',
    what: 'heat',
  })
  expect(await refusalOf({ after: { from: at(AFTER_DAYS + 5), to: at(AFTER_DAYS + 9) } })).toEqual({
    kind: 'no-days',
  })
})

test('refuses periods that overlap, end before they begin or are too long, and devices that are no station', async () => {
  const deviceId = await server.deviceId('K-s1')
  const codeOf = async (chosen: object) =>
    (await ask('planner', 'getHeatSaving', { deviceId, periods: { ...periods, ...chosen } })).code
  expect(await codeOf({ after: periods.baseline })).toBe('request.malformed')
  expect(await codeOf({ after: { from: at(9), to: at(8) } })).toBe('request.malformed')
  expect(await codeOf({ after: { from: '2026-02-30', to: at(8) } })).toBe('request.malformed')
  expect(await codeOf({ baseline: { from: at(-500), to: at(-1) } })).toBe('history.range-too-large')
  const valve = await server.deviceId('V-b2u1')
  expect((await ask('planner', 'getHeatSaving', { deviceId: valve })).code).toBe('balance.no-station')
})

test('an account without the station or the right sees no saving and sets no price', async () => {
  const deviceId = await server.deviceId('K-s1')
  expect((await ask('elsewhere', 'getHeatSaving', { deviceId })).code).toBe('device.not-found')
  const node = await server.nodeKey('s1')
  const price = { node, version: 0, yuanPerGj: 40 }
  expect((await ask('watcher', 'setEnergyPrice', price)).code).toBe('access.denied')
  expect((await ask('elsewhere', 'setEnergyPrice', price)).code).toBe('node.not-found')
  const company = { ...price, node: await server.nodeKey('p') }
  expect((await ask('elsewhere', 'setEnergyPrice', company)).code).toBe('node.not-found')
  expect((await read({ periods }, 'watcher')).settable).toEqual([])
  // Only the nodes that are granted as a whole.
  const { settable } = await read({ periods }, 'elsewhere', 'K-s2')
  expect(settable.map(({ nodeName }) => nodeName)).toEqual(['二号站'])
})

test('the nearest price at or above a station counts, each kind by itself, and every change is logged', async () => {
  const [project, station] = [await server.nodeKey('p'), await server.nodeKey('s1')]
  const set = async (input: object) => {
    const { code, data } = await ask('planner', 'setEnergyPrice', input)
    return code ?? endpoints.setEnergyPrice.output.parse(data)
  }
  expect((await read()).prices).toEqual({})
  expect(await set({ node: project, version: 0, yuanPerGj: 30, yuanPerKwh: 0.6 })).toEqual({
    node: project,
    nodeName: '集团',
    version: 1,
    yuanPerGj: 30,
    yuanPerKwh: 0.6,
  })
  expect(await set({ node: station, version: 0, yuanPerGj: 45 })).toMatchObject({ version: 1 })
  const found = await read()
  expect(found.prices).toEqual({ yuanPerGj: 45, yuanPerKwh: 0.6 })
  expect(found.settable.map(({ nodeName, version }) => [nodeName, version])).toEqual([
    ['集团', 1],
    ['公司', 0],
    ['一号站', 1],
  ])
  // Somebody who read the prices before is refused.
  expect(await set({ node: station, version: 0, yuanPerGj: 50 })).toBe('entity.stale')
  expect(await set({ node: station, version: 1 })).toMatchObject({ version: 2 })
  expect((await read()).prices).toEqual({ yuanPerGj: 30, yuanPerKwh: 0.6 })
  expect(await set({ node: project, version: 1, yuanPerGj: 0 })).toBe('request.malformed')
  const { rows } = await sql<{
    action: string
    before: unknown
    after: unknown
    account: string
    path: string
  }>`
    select change.action, change.before, change.after, change.path, operation.account
    from operation_change change join operation on operation.id = change.operation_id
    where change.entity = 'energy-price' order by change.id`.execute(server.db)
  const path = await server.pathOf('s1')
  expect(rows.slice(1)).toEqual([
    expect.objectContaining({ action: 'added', account: 'planner', path }),
    {
      action: 'changed',
      before: { yuan_per_gj: 45 },
      after: { yuan_per_gj: null },
      account: 'planner',
      path,
    },
  ])
})
