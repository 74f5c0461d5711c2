import { permissions } from '@isotherm/contract/access/permissions'
import { type CampaignDetail, campaignDetail } from '@isotherm/contract/balancing/campaign'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { createClickhouse } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { connectGateway } from '../../../testing/connect-gateway.testkit.ts'
import { createRegistry } from '../../../testing/core.testkit.ts'
import { type Answer, startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'

type Values = Partial<Record<MetricName, number>>

/** Returns of the four units of the first station, °C: the loop is out of balance. */
const returnsC = { 'V-b2u1': 43, 'V-b2u2': 41, 'V-b10u1': 38.5, 'V-b10u2': 37 } as const
const SUPPLY_C = 48
/** Pressures of its controller, kPa, and the head between them. */
const [SUPPLY_KPA, RETURN_KPA] = [360, 300]
const HEAD_KPA = SUPPLY_KPA - RETURN_KPA

const toValve = (returnC: number): Values => ({
  'temp.supply': SUPPLY_C,
  'temp.return': returnC,
  // Each unit takes about 4 kW, so the colder its return, the lower its flow.
  'heat.flow': 3.5 / (SUPPLY_C - returnC),
  'valve.opening': 50,
})

/** Readings that each gateway reports, by device. */
const reported: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  'C-b2': { 'V-b2u1': toValve(returnsC['V-b2u1']), 'V-b2u2': toValve(returnsC['V-b2u2']) },
  'C-b10': { 'V-b10u1': toValve(returnsC['V-b10u1']), 'V-b10u2': toValve(returnsC['V-b10u2']) },
  'K-s1': {
    'K-s1': {
      'temp.supply': SUPPLY_C,
      'temp.return': 40.5,
      'temp.outdoor': -5,
      'pressure.supply': SUPPLY_KPA,
      'pressure.return': RETURN_KPA,
      'heat.flow': 1.6,
      'pump.power': 0.4,
    },
  },
}

/** Readings of each sensor, a minute apart. */
const READINGS = 6
const PERIOD_MS = MINUTE_MS

/** Differs in each report, also of one second, so that the server drops none as a duplicate. */
let boot = Math.floor(Date.now() / 1_000)

/**
 * A gateway reports the last minutes of its devices, with the values of `also` and without the `missing` ones. Resolves
 * when they are stored.
 */
async function report(
  server: TestServer,
  gateway: string,
  missing: readonly MetricName[],
  also: Values = {},
): Promise<void> {
  const { send, leave } = await connectGateway(server, gateway)
  const now = Date.now()
  boot += 1
  for (let age = READINGS - 1; age >= 0; age -= 1) {
    const ts = now - age * PERIOD_MS
    const d = Object.entries(reported[gateway] ?? {}).map(([id, shown]) => ({
      id,
      ts,
      m: Object.fromEntries(
        Object.entries({ ...shown, ...also }).filter(([name]) => !missing.some((each) => each === name)),
      ),
    }))
    await send('telemetry', { v: 1, boot, seq: READINGS - age, ts: now, d })
  }
  await leave()
}

/** Adds the controller of the first station, which the small registry does not have. */
async function addController({ db }: TestServer): Promise<void> {
  const registry = createRegistry()
  const controller = {
    serial: 'K-s1',
    kind: 'station' as const,
    name: 'K-s1',
    model: 'K1',
    node: 's1',
    concentrator: null,
    periodS: 60,
  }
  await importRegistry(db, { ...registry, devices: [...registry.devices, controller] })
}

const known = new WeakMap<TestServer, Promise<void>>()
const reportedAt = new WeakMap<TestServer, number>()

/** Age of readings after which all gateways report again, ms. */
const FRESH_MS = MINUTE_MS

/** All gateways of the first station report, unless they did so in the last minute. `missing`: metrics to leave out. */
export async function measureStation(server: TestServer, missing: readonly MetricName[] = []): Promise<void> {
  const added = known.get(server) ?? addController(server)
  known.set(server, added)
  await added
  if (Date.now() - (reportedAt.get(server) ?? 0) < FRESH_MS) return
  for (const gateway of Object.keys(reported)) await report(server, gateway, missing)
  reportedAt.set(server, Date.now())
}

/** The controller of the first station reports a setpoint of the head that equals the measured head. */
export const holdHead = (server: TestServer): Promise<void> =>
  report(server, 'K-s1', [], { 'pump.target': HEAD_KPA })

export interface MeasuredStation {
  readonly server: TestServer
  /** Calls as 'planner', who may do everything in the company. */
  readonly call: (name: EndpointName, input: unknown) => Promise<Answer>
}

/** A server whose first station has readings, and an account that plans there. */
export async function startMeasuredStation(): Promise<MeasuredStation> {
  const server = await startTestServer()
  await server.createAccount('planner', permissions, ['p'])
  const { 'ht-api': token } = await server.logIn('planner')
  await measureStation(server)
  return { server, call: (name, input) => server.call(endpoints[name], input, token) }
}

/** Records the emitter of a node; null removes it. */
export async function setEmitter(
  { server, call }: MeasuredStation,
  key: string,
  emitter: 'floor' | null,
): Promise<void> {
  const node = await server.nodeKey(key)
  const { data } = await call('getHeatedNodes', { node, lowestLevel: 6, limiter: { page: 1, size: 1 } })
  const [found] = endpoints.getHeatedNodes.output.parse(data).datalist
  const { code } = await call('updateEmitters', { items: [{ node, version: found?.version, emitter }] })
  if (code !== undefined) throw new Error(`${key}: ${code}`)
}

/** Sets the model of every valve. Its name is the text of the name plate. */
export async function setPlates({ server: { db } }: MeasuredStation, model: string): Promise<void> {
  await db.insertInto('device_model').values({ kind: 'valve', name: model }).execute()
  await db.updateTable('device').set({ model }).where('kind', '=', 'valve').execute()
}

/** Stores readings of a device some hours ago. */
export async function storeEarlier(
  { db, config }: TestServer,
  name: string,
  { metric, value }: { readonly metric: MetricName; readonly value: number },
  hoursAgo: number,
): Promise<void> {
  const { id: device } = await db
    .selectFrom('device')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const client = createClickhouse(config)
  const ts = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString()
  const row = {
    device,
    metric: metrics[metric].id,
    ts,
    received: ts,
    value,
    node: 1,
    boot: 1,
    months: 1,
    live: 1,
  }
  await client.insert({ table: 'readings', values: [row], format: 'JSONEachRow' })
  await client.close()
}

/** A planned campaign that makes the returns of the station equal. */
export async function planReturns({ server, call }: MeasuredStation): Promise<CampaignDetail> {
  const node = await server.nodeKey('s1')
  const { data } = await call('addCampaign', { node, mode: { kind: 'temperature', target: 'return' } })
  return campaignDetail.parse(data)
}
