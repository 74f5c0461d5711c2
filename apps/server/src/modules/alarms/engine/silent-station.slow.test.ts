import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouseClient, createClickhouse } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { createLog } from '../../../platform/log.ts'
import { soleOwner } from '../../../platform/replicas/owners.ts'
import { createServerClickhouse } from '../../../testing/clickhouse-database.testkit.ts'
import type { Telemetry } from '../../telemetry/index.ts'
import { createTelemetry } from '../../telemetry/telemetry.ts'
import { type AlarmsBench, startAlarmsBench } from '../alarms.testkit.ts'
import type { Alarms } from '../index.ts'

const BUILDINGS = 100
const EACH = 99
const OTHERS = 10
const PERIOD_S = 60

/** A station of 10,000 devices, each building's behind its concentrator, and a small one beside it. */
function createStations(): RegistryFile {
  const nodes: RegistryFile['nodes'] = [
    { key: 'p', parent: null, kind: 'project', level: 1, name: '集团' },
    { key: 'c', parent: 'p', kind: 'group', level: 2, name: '公司' },
    { key: 's1', parent: 'c', kind: 'group', level: 4, name: '一号站' },
    { key: 's2', parent: 'c', kind: 'group', level: 4, name: '二号站' },
  ]
  const devices: RegistryFile['devices'] = []
  const add = (building: string, station: string, each: number): void => {
    nodes.push({ key: building, parent: station, kind: 'sub-user', level: 6, name: building })
    const common = { model: 'T1', node: building, periodS: PERIOD_S }
    const hub = `C-${building}`
    devices.push({ ...common, serial: hub, kind: 'concentrator', name: hub, concentrator: null })
    for (let index = 0; index < each; index += 1) {
      const serial = `R-${building}-${index}`
      devices.push({ ...common, serial, kind: 'room-sensor', name: serial, concentrator: hub })
    }
  }
  for (let building = 0; building < BUILDINGS; building += 1) add(`b${building}`, 's1', EACH)
  for (let building = 0; building < OTHERS; building += 1) add(`x${building}`, 's2', EACH)
  return { v: 1, company: { tenant: 'demo', name: '示范供热', timeZone: 'Asia/Shanghai' }, nodes, devices }
}

let bench: AlarmsBench
let client: ClickHouseClient
let telemetry: Telemetry
let alarms: Alarms
let dropClickhouse: () => Promise<void>
let seq = 0

beforeAll(async () => {
  bench = await startAlarmsBench(createStations())
  const store = await createServerClickhouse()
  dropClickhouse = store.drop
  client = createClickhouse({ clickhouseUrl: store.url })
  const log = createLog({ logLevel: 'silent' })
  const { directory, service, selector } = bench.devices
  telemetry = createTelemetry({
    mode: 'production',
    retentionDays: 1_100,
    clickhouse: client,
    reading: client,
    clock: bench.clock,
    log,
    directory,
    selector,
    getGateway: bench.devices.getGateway,
    registry: new Registry(),
    devices: service,
    network: bench.network,
    owners: soleOwner,
    broker: { publish: async () => undefined },
    startFindings: async (changes) => changes,
    endFindings: async () => [],
    listOpenFindings: async () => [],
    listFindings: async () => ({ datalist: [], total: 0 }),
    listWatering: async () => new Set(),
  })
  await telemetry.restore()
  alarms = await bench.start()
  telemetry.presence.onChanged(alarms.observePresence)
  telemetry.onCommitted(({ samples }) => alarms.observe(samples))
}, 120_000)
afterAll(async () => {
  await telemetry.close(1_000)
  await client.close()
  await bench.close()
  await dropClickhouse()
})

/** All concentrators of a station send readings of their devices; resolves when they are stored. */
async function report(prefix: 'b' | 'x', buildings: number): Promise<void> {
  const ts = bench.clock.now()
  seq += 1
  let isStored = false
  const stored = Promise.all(
    Array.from({ length: buildings }, (_, building) => {
      const ids = [
        `C-${prefix}${building}`,
        ...Array.from({ length: EACH }, (__, index) => `R-${prefix}${building}-${index}`),
      ]
      const d = ids.map((id) => ({ id, ts, m: id.startsWith('C-') ? { rssi: -70 } : { 'temp.room': 21 } }))
      const payload = Buffer.from(JSON.stringify({ v: 1, boot: 1, seq, ts, d }))
      return telemetry.receive({ topic: `hx/v1/demo/C-${prefix}${building}/up/telemetry`, payload })
    }),
  ).finally(() => {
    isStored = true
  })
  // The group commit starts only when the clock advances.
  while (!isStored) {
    bench.clock.advance(10)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await stored
}

/** Advances minutes in which the second station reports, and the first only if requested. */
async function live(minutes: number, isFirstThere: boolean): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await report('x', OTHERS)
    if (isFirstThere) await report('b', BUILDINGS)
    bench.pass(PERIOD_S, 1_000)
  }
}

test('10,000 silent devices of one station raise one alarm, and their return clears it', async () => {
  await live(2, true)
  await live(25, false)
  const raised = () => {
    bench.pass(2)
    return bench.list()
  }
  await expect.poll(raised).toEqual(['subtree-silent 一号站 active'])
  const [alarm] = (
    await alarms.handlers.getAlarms(
      { nodes: [], filter: [], open: true, suppressed: true, limiter: { page: 1, size: 10 } },
      bench.toCall(),
    )
  ).datalist
  expect(alarm).toMatchObject({ severity: 'critical', node: await bench.nodeKey('s1'), value: 100 })
  await live(3, true)
  await expect.poll(raised).toEqual(['subtree-silent 一号站 cleared'])
}, 180_000)
