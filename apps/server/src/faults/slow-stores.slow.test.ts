import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { createTestClickhouse, createTestDatabase } from '@isotherm/engines/testkit'
import { connectAsync } from 'mqtt'
import { expect, onTestFinished, test } from 'vitest'
import { createWideRegistry } from '../modules/commands/commands.testkit.ts'
import { type SimulatedValve, startGateway } from '../modules/commands/simulated-field.testkit.ts'
import { countRows } from '../modules/telemetry/load.testkit.ts'
import { createClickhouse } from '../platform/clickhouse/clickhouse.ch.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { toGatewayPassword } from '../platform/mqtt/gateway-access.ts'
import { createDatabase } from '../platform/postgres/database.pg.ts'
import { runProgram } from '../testing/run-program.testkit.ts'
import { isRunning, kill, launchServer, MQTT_SECRET } from '../testing/server-process.testkit.ts'
import { startLink } from './link.testkit.ts'
import { signIn } from './people.testkit.ts'

const TENANT = 'test'
const VALVES = 10
/** Each way: a question and its answer take a second. */
const DELAY_MS = 500
const SEND_MS = 50
const SETTLED = { timeout: 120_000, interval: 300 }
const BOOT = 77

const portOf = (url: string): number => Number(new URL(url).port)

/** A gateway that sends a reading every 50 ms and does not wait for the acknowledgement of the one before. */
async function startReadings(mqttPort: number, serial: string) {
  const username = toMqttUsername(TENANT, serial)
  const password = toGatewayPassword(MQTT_SECRET, { tenant: TENANT, gateway: serial })
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: username,
    username,
    password,
  })
  const acknowledged = new Set<string>()
  const sends: Promise<void>[] = []
  let isOver = false
  const sending = (async () => {
    for (let seq = 0; !isOver; seq += 1) {
      const ts = Date.now()
      const d = [{ id: `${serial}V1`, ts, m: { 'valve.opening': 40 } }]
      const sent = client.publishAsync(
        toUpTopic(TENANT, serial, 'telemetry'),
        JSON.stringify({ v: 1, boot: BOOT, seq, ts, d }),
        { qos: 1 },
      )
      sends.push(sent.then(() => void acknowledged.add(`${BOOT}:${seq}`)))
      await pause(SEND_MS)
    }
  })()
  return {
    count: () => acknowledged.size,
    /** Resolves with all messages once they are acknowledged. */
    async stop() {
      isOver = true
      await sending
      await Promise.all(sends)
      await client.endAsync()
      return acknowledged
    },
  }
}

test('stores that take a second for each answer, and then a store of readings that is silent, cost no reading, and no command is lost or repeated; the doctor says why pages are slow', {
  timeout: 400_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-slow-'))
  const [database, store] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  const [toDatabase, toStore] = [await startLink(portOf(database.url)), await startLink(portOf(store.url))]
  const registryFile = join(folder, 'registry.json')
  await writeFile(registryFile, JSON.stringify(createWideRegistry(2, VALVES)))
  const env = {
    DATABASE_URL: toDatabase.lead(database.url),
    CLICKHOUSE_URL: toStore.lead(store.url),
    ISOTHERM_REGISTRY_FILE: registryFile,
  }
  const server = await launchServer(env)
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  const clickhouse = createClickhouse({ clickhouseUrl: store.url })
  const valves = Array.from(
    { length: VALVES },
    (_, index): SimulatedValve => ({
      serial: `C1V${index + 1}`,
      rev: 0,
      openingPct: 35,
      records: new Map(),
    }),
  )
  const { mqttPort, base } = server
  // Devices without faults.
  const field = { tenant: TENANT, secret: MQTT_SECRET, mqttPort, clock: systemClock, random: () => 0.5 }
  const gateway = startGateway(field, 'C1', valves, false)
  onTestFinished(async () => {
    await gateway.close()
    await kill(server.child)
    await Promise.all([db.destroy(), clickhouse.close(), toDatabase.close(), toStore.close()])
    await Promise.all([database.drop(), store.drop(), rm(folder, { recursive: true, force: true })])
  })
  const person = await signIn(base)
  const found = await db.selectFrom('device').where('serial', 'like', 'C1V%').select('id').execute()
  const order = async (openingPct: number): Promise<string> => {
    const targets = found.map(({ id: deviceId }) => ({ deviceId, openingPct }))
    const { data, code } = await person.call(endpoints.publishMqCtlCmd, { targets, reason: 'slow' })
    if (data === undefined) throw new Error(`the server refused an order: ${code}`)
    return data.batchId
  }
  const listStates = async (batchId: string): Promise<readonly string[]> => {
    const rows = await db.selectFrom('command').where('batch_id', '=', batchId).select('state').execute()
    return [...new Set(rows.map(({ state }) => state))]
  }
  const expectConfirmed = async (batchId: string) =>
    expect.poll(() => listStates(batchId), SETTLED).toEqual(['confirmed'])

  const readings = await startReadings(mqttPort, 'C2')
  await expectConfirmed(await order(45))

  toDatabase.delay(DELAY_MS)
  toStore.delay(DELAY_MS)
  const page = await person.call(endpoints.getAlarms, { nodes: [ROOT_KEY] })
  expect([undefined, 'server.unavailable']).toContain(page.code)
  const ready = await fetch(`${base}/readyz`)
  const { output } = await runProgram('doctor.ts', { ...env, ISOTHERM_PORT: String(server.port) })
  for (const name of ['PostgreSQL', 'ClickHouse'])
    expect(output).toMatch(new RegExp(`WARNING {2}${name}: answers after [1-9]\\.\\d s, version`))
  expect(output).toContain('-> look at the load and the disk of its machine, and at the network to it')
  const slowly = readings.count()
  await expect.poll(readings.count, SETTLED).toBeGreaterThan(slowly)

  // The open connections to the store of readings lead nowhere now.
  toStore.vanish()
  const silentMs = performance.now()
  const waiting = await order(60)
  const orderMs = performance.now() - silentMs
  toDatabase.delay(0)
  toStore.delay(0)
  const before = readings.count()
  await expect.poll(readings.count, SETTLED).toBeGreaterThan(before + 200)
  const backMs = performance.now() - silentMs
  await expectConfirmed(waiting)
  await expectConfirmed(await order(75))

  const acknowledged = await readings.stop()
  expect(isRunning(server.child)).toBe(true)
  const stored = await countRows(clickhouse)
  expect([...acknowledged].filter((key) => stored.get(key) !== 1)).toEqual([])
  const executions = valves.flatMap(({ records }) => [...records.values()].map((record) => record.executions))
  expect(executions).toEqual(Array(3 * VALVES).fill(1))
  console.log(
    `slow: page ${page.code ?? 'ok'} after ${(page.ms / 1_000).toFixed(1)} s, readyz ${ready.status}, order taken after ${(orderMs / 1_000).toFixed(1)} s; readings go on ${(backMs / 1_000).toFixed(1)} s after the silence began; ${acknowledged.size} stored`,
  )
})
