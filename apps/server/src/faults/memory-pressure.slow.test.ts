import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { exportDataRows } from '@isotherm/contract/endpoints/monitoring/history'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { metrics } from '@isotherm/contract/metrics'
import { toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { connectAsync } from 'mqtt'
import { expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { countRows, deliver, toReading, VALUES } from '../modules/telemetry/load.testkit.ts'
import { createTestField } from '../modules/telemetry/server.testkit.ts'
import { createLog } from '../platform/log.ts'
import { toGatewayPassword } from '../platform/mqtt/gateway-access.ts'
import { createDatabase } from '../platform/postgres/database.pg.ts'
import { isRunning, kill, launchServer, MQTT_SECRET } from '../testing/server-process.testkit.ts'
import { type Person, type Seen, signIn } from './people.testkit.ts'

/** The server needs half of it. All messages of the gateways, were they accepted, would need more than the other half. */
const HEAP_MB = 192
const GATEWAYS = 60
/** Messages that each gateway sends at once. */
const EACH = 500
const CONSOLES = 20
/** More than may run and wait. */
const CURVES = 240
const EXPORTED_ROWS = 600_000
const SETTLED = { timeout: 150_000, interval: 300 }

/** Options of Node for the server: a garbage collection at SIGUSR2. */
const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB} --expose-gc --import=data:text/javascript,process.on('SIGUSR2',()=>gc())`

const connectGateway = (mqttPort: number, index: number) => {
  const gateway = { tenant: 'demo', gateway: `n${index}` }
  const username = toMqttUsername(gateway.tenant, gateway.gateway)
  return connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: username,
    username,
    password: toGatewayPassword(MQTT_SECRET, gateway),
    clean: false,
    reconnectPeriod: 5_000,
  })
}

/** A console that watches all room sensors. */
async function openConsole(base: string, { bearer }: Person) {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/live`)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token: bearer }))
  socket.send(JSON.stringify({ type: 'subscribe', sub: 'a', nodes: [], kinds: ['room-sensor'] }))
  await expect.poll(() => events.map(({ type }) => type), SETTLED).toContain('states')
  return {
    socket,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    countDevices: () =>
      new Set(
        events.flatMap((event) => (event.type === 'states' ? event.rows : [])).map((row) => row.deviceId),
      ).size,
  }
}

/** A download that starts and is read on only when `finish` is called, which returns its lines, or 'broken'. */
async function openExport(base: string, { bearer }: Person, input: object) {
  const answer = await fetch(`${base}${toUrlPath(exportDataRows)}`, {
    method: 'POST',
    headers: {
      'Accept-Language': 'en',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${bearer}`,
    },
    body: JSON.stringify(input),
  })
  return {
    status: answer.status,
    async finish(): Promise<number | 'broken'> {
      try {
        return (await answer.text()).trim().split('\r\n').length
      } catch {
        return 'broken'
      }
    },
  }
}

test('while ClickHouse hangs, a server with a small heap refuses messages, calls and downloads instead of filling its memory; afterwards each reading is stored once and the memory is free again', {
  timeout: 400_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-memory-'))
  const password = 'of the tests only'
  const engine = await startClickhouse({ dataDir: join(folder, 'clickhouse'), port: 0, password })
  const field = await createTestField(GATEWAYS, { clickhouseUrl: engine.url })
  const server = await launchServer({ ...field.env, NODE_OPTIONS })
  const { base, child } = server
  const { DATABASE_URL: databaseUrl = '' } = field.env
  const db = createDatabase({ databaseUrl }, createLog({ logLevel: 'silent' }))
  const gateways: Awaited<ReturnType<typeof connectGateway>>[] = []
  const consoles: Awaited<ReturnType<typeof openConsole>>[] = []
  onTestFinished(async () => {
    process.kill(engine.pid, 'SIGCONT')
    for (const gateway of gateways) gateway.end(true)
    for (const { socket } of consoles) socket.terminate()
    await kill(child)
    await Promise.all([db.destroy(), field.close()])
    await engine.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const readMetrics = async () => {
    const text = await (await fetch(`${base}/metrics`)).text()
    const read = (name: string): number =>
      [...text.matchAll(new RegExp(`^isotherm_${name} (\\S+)$`, 'gm'))].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      )
    return {
      heapMb: read('nodejs_heap_size_used_bytes') / 2 ** 20,
      residentMb: read('process_resident_memory_bytes') / 2 ** 20,
      rows: read('ingest_backlog_rows'),
      refused: read('broker_refused_total\\{reason="not-stored"\\}'),
    }
  }
  const readCollected = async () => {
    child.kill('SIGUSR2')
    return (await readMetrics()).heapMb
  }

  const admin = await signIn(base)
  const viewer = await signIn(base, 'viewer')
  const exporters = [admin, await signIn(base, 'dispatcher'), await signIn(base, 'maintenance')]
  const found = await db.selectFrom('device').where('kind', '=', 'room-sensor').select('id').execute()
  const deviceIds = found.map(({ id }) => id)
  const from = Date.now() - DAY_MS
  await field.clickhouse.command({
    query: `INSERT INTO readings (device, metric, value, ts, received, quality, node, boot, seq, months, live)
      SELECT [${deviceIds.join(',')}][number % ${GATEWAYS} + 1], ${metrics['temp.room'].id}, 20,
        fromUnixTimestamp64Milli(${from} + intDiv(number, ${GATEWAYS}) * 1000), now64(3), 0, 1, 0, 0, 1, 1
      FROM numbers(${EXPORTED_ROWS})`,
  })
  for (let index = 0; index < GATEWAYS; index += 1)
    gateways.push(await connectGateway(server.mqttPort, index))
  for (let index = 0; index < CONSOLES; index += 1) consoles.push(await openConsole(base, admin))
  const range = { deviceIds, metrics: ['temp.room'], from, to: from + 20 * HOUR_MS }
  const exporting = { ...range, level: 'raw', format: 'csv' }
  const downloads = await Promise.all(exporters.map((person) => openExport(base, person, exporting)))
  expect(downloads.map(({ status }) => status)).toEqual([200, 200, 200])
  const beforeMb = await readCollected()

  process.kill(engine.pid, 'SIGSTOP')
  const stoppedMs = performance.now()
  const startedAt = Date.now()
  const acknowledged = new Set<string>()
  const sending = gateways.flatMap((gateway, index) =>
    Array.from({ length: EACH }, async (_each, seq) => {
      await deliver(gateway, toUpTopic('demo', `n${index}`, 'telemetry'), toReading(index, seq, startedAt))
      acknowledged.add(`${index + 1}:${seq}`)
    }),
  )
  const finishing = downloads.map((download) => download.finish())
  const answers: Seen<unknown>[] = []
  const asking = Array.from({ length: CURVES }, async () => {
    const input = { ...range, level: 'hour' as const, columns: ['avg' as const] }
    answers.push(await viewer.call(endpoints.getDataBuckets, input))
  })
  const findAnswer = (wanted: string) => answers.find(({ code }) => code === wanted)
  let most = await readMetrics()
  await expect
    .poll(async () => {
      const now = await readMetrics()
      most = {
        ...now,
        heapMb: Math.max(most.heapMb, now.heapMb),
        residentMb: Math.max(most.residentMb, now.residentMb),
      }
      return most.refused
    }, SETTLED)
    .toBeGreaterThan(0)
  expect(most.rows).toBeLessThan(GATEWAYS * EACH * VALUES)
  // What users see: pages without readings work, and the load balancer knows.
  expect((await fetch(`${base}/healthz`)).status).toBe(200)
  expect((await admin.call(endpoints.getAlarms, { nodes: [ROOT_KEY] })).code).toBeUndefined()
  await expect
    .poll(() => findAnswer('request.too-many'), SETTLED)
    .toMatchObject({
      http: 429,
      text: 'Too many requests. Try again in 10 s',
    })
  await expect
    .poll(() => findAnswer('server.unavailable'), SETTLED)
    .toMatchObject({
      http: 503,
      text: 'The service is not available now. Try again later',
    })
  expect((await fetch(`${base}/readyz`)).status).toBe(503)
  const ended = await Promise.all(finishing)
  expect(acknowledged.size).toBe(0)
  most = { ...most, heapMb: Math.max(most.heapMb, await readCollected()) }

  process.kill(engine.pid, 'SIGCONT')
  const backMs = performance.now()
  await Promise.all(sending)
  const doneMs = performance.now()
  expect(isRunning(child)).toBe(true)
  await Promise.all(asking)
  const refusals = ['server.unavailable', 'request.too-many']
  expect(answers.filter(({ code }) => code !== undefined && !refusals.includes(code))).toEqual([])
  // A file is whole or visibly broken.
  expect(ended.filter((lines) => lines !== 'broken' && lines !== EXPORTED_ROWS + 1)).toEqual([])
  expect(acknowledged.size).toBe(GATEWAYS * EACH)
  const stored = await countRows(field.clickhouse)
  expect([...acknowledged].filter((key) => stored.get(key) !== VALUES)).toEqual([])
  expect(consoles.filter(({ isOpen }) => !isOpen())).toEqual([])
  for (const { countDevices } of consoles) await expect.poll(countDevices, SETTLED).toBe(GATEWAYS)
  await expect.poll(readCollected, SETTLED).toBeLessThan(beforeMb + 30)
  const last = await openExport(base, viewer, exporting)
  expect(await last.finish()).toBe(EXPORTED_ROWS + 1)
  const away = ((backMs - stoppedMs) / 1_000).toFixed(1)
  const after = ((doneMs - backMs) / 1_000).toFixed(1)
  const [before, highest, size] = [beforeMb, most.heapMb, most.residentMb].map((mb) => mb.toFixed(0))
  console.log(
    `heap ${before} MB before, at most ${highest} MB, process at most ${size} MB; ${most.rows} rows waited; away ${away} s, all acknowledged ${after} s later; downloads ${ended.join(', ')}; curves answered ${answers.filter(({ code }) => code === undefined).length}`,
  )
})
