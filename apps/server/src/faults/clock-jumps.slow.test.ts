import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { finalCommandStates } from '@isotherm/contract/command'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { createTestClickhouse, createTestDatabase } from '@isotherm/engines/testkit'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
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
import { isRunning, kill, launchServer, MQTT_SECRET } from '../testing/server-process.testkit.ts'
import { canOwnClock, createMachineClock } from './machine-clock.testkit.ts'
import { signIn } from './people.testkit.ts'

const TENANT = 'test'
const VALVES = 20
/** Gateway whose readings are counted; the commands go to the other two. */
const COUNTED = 'C3'
const SEND_MS = 100
const SETTLED = { timeout: 60_000, interval: 200 }
/** Time with a wrong clock: longer than any pause or watch of the server within a minute. */
const WRONG_MS = 12_000
/** What the machine's clock reads ahead of the true time at last: the valves know the true time. */
const JUMPS = [
  ['an hour forward', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['three days forward', 3 * DAY_MS],
] as const

/** A gateway that sends a reading of its first valve every 100 ms by its own, true clock. */
async function startReadings(mqttPort: number) {
  const gateway = { tenant: TENANT, gateway: COUNTED }
  const username = toMqttUsername(TENANT, COUNTED)
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: username,
    username,
    password: toGatewayPassword(MQTT_SECRET, gateway),
  })
  const topic = toUpTopic(TENANT, COUNTED, 'telemetry')
  let [seq, slowestMs, isOver] = [0, 0, false]
  const send = async () => {
    while (!isOver) {
      const d = Array.from({ length: VALVES }, (_, index) => ({
        id: `${COUNTED}V${index + 1}`,
        m: { 'valve.opening': 40 },
        ts: Date.now(),
      }))
      const message = { v: 1, boot: 1, seq: seq++, ts: Date.now(), d }
      const startedMs = performance.now()
      await client.publishAsync(topic, JSON.stringify(message), { qos: 1 })
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
      await pause(SEND_MS)
    }
  }
  const sending = send()
  return {
    slowestMs: () => slowestMs,
    /** Returns the number of acknowledged messages. */
    async stop() {
      isOver = true
      await sending
      await client.endAsync()
      return seq
    },
  }
}

/** How far the clock of the server is ahead, by the date of its answers, ms. */
async function readAheadMs(base: string): Promise<number> {
  const { headers } = await fetch(`${base}/healthz`)
  return Date.parse(headers.get('date') ?? '') - Date.now()
}

test.skipIf(!canOwnClock)(
  'a clock that is set an hour forward, an hour back and three days forward loses no reading, repeats and forgets no command, and raises no alarm',
  { timeout: 400_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'isotherm-jumps-'))
    const [database, store, machine] = await Promise.all([
      createTestDatabase(),
      createTestClickhouse(),
      createMachineClock(),
    ])
    const registryFile = join(folder, 'registry.json')
    const registry = createWideRegistry(3, VALVES)
    const devices = registry.devices.filter(({ serial }) => serial !== 'S1')
    await writeFile(
      registryFile,
      JSON.stringify({ ...registry, devices: devices.map((device) => ({ ...device, periodS: 60 })) }),
    )
    const server = await launchServer({
      ...machine.env,
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: store.url,
      ISOTHERM_REGISTRY_FILE: registryFile,
    })
    const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
    const clickhouse = createClickhouse({ clickhouseUrl: store.url })
    const valves = new Map<string, SimulatedValve>()
    const field = {
      tenant: TENANT,
      secret: MQTT_SECRET,
      mqttPort: server.mqttPort,
      clock: systemClock,
      // Devices without faults: the clock is the only one.
      random: () => 0.5,
    }
    const gateways = ['C1', 'C2'].map((serial) => {
      const own = Array.from({ length: VALVES }, (_, index): SimulatedValve => {
        const valve = { serial: `${serial}V${index + 1}`, rev: 0, openingPct: 35, records: new Map() }
        valves.set(valve.serial, valve)
        return valve
      })
      return startGateway(field, serial, own, false)
    })
    onTestFinished(async () => {
      await Promise.all(gateways.map((gateway) => gateway.close()))
      await kill(server.child)
      await Promise.all([db.destroy(), clickhouse.close()])
      await Promise.all([database.drop(), store.drop(), machine.close()])
      await rm(folder, { recursive: true, force: true })
    })
    const person = await signIn(server.base)
    const found = await db
      .selectFrom('device')
      .where('kind', '=', 'valve')
      .where('serial', 'not like', `${COUNTED}%`)
      .select('id')
      .execute()
    // Further apart than the tolerance of a confirmation: no reading of before confirms the next order.
    let openingPct = 15
    const order = async (): Promise<string> => {
      openingPct += 7
      const targets = found.map(({ id: deviceId }) => ({ deviceId, openingPct }))
      const { data, code } = await person.call(endpoints.publishMqCtlCmd, { targets, reason: 'clock' })
      if (data === undefined) throw new Error(`the server refused an order: ${code}`)
      return data.batchId
    }
    const listStates = async (batchId: string): Promise<readonly string[]> => {
      const rows = await db.selectFrom('command').where('batch_id', '=', batchId).select('state').execute()
      return [...new Set(rows.map(({ state }) => state))]
    }
    const listOpen = async (batchId: string): Promise<readonly string[]> => {
      const final: ReadonlySet<string> = finalCommandStates
      return (await listStates(batchId)).filter((state) => !final.has(state))
    }
    const expectConfirmed = async (batchId: string) =>
      expect.poll(() => listStates(batchId), SETTLED).toEqual(['confirmed'])

    const setAheadBy = async (ms: number): Promise<void> => {
      await machine.setAheadBy(ms)
      const isSet = async () => Math.abs((await readAheadMs(server.base)) - ms) < 5_000
      await expect.poll(isSet, SETTLED).toBe(true)
    }

    // Without a delay: one false judgement would be an alarm.
    const place = await db
      .selectFrom('node')
      .select(['id', 'uuid'])
      .orderBy('level')
      .limit(1)
      .executeTakeFirstOrThrow()
    for (const kind of ['device-silent', 'concentrator-silent'] as const) {
      const { code } = await person.call(endpoints.addAlarmRule, {
        kind,
        node: place.uuid ?? String(place.id),
        enabled: true,
        severity: 'minor',
        raiseAt: null,
        clearAt: null,
        raiseAfterS: 0,
        clearAfterS: 0,
        season: null,
        hours: null,
      })
      expect(code).toBeUndefined()
    }

    const readings = await startReadings(server.mqttPort)
    // Since the first readings every valve counts as present.
    await expectConfirmed(await order())
    for (const [name, aheadMs] of JUMPS) {
      const running = await order()
      await setAheadBy(aheadMs)
      await pause(WRONG_MS)
      const during = await order().catch(() => undefined)
      await pause(1_000)
      await setAheadBy(0)
      // Its commands end in some way; those of the time with the right clock after it are carried out.
      for (const batchId of during === undefined ? [running] : [running, during])
        await expect.poll(() => listOpen(batchId), SETTLED).toEqual([])
      await expectConfirmed(await order())
      console.log(
        name,
        await listStates(running),
        during && (await listStates(during)),
        `PUBACK at most ${Math.round(readings.slowestMs())} ms`,
      )
    }
    expect(isRunning(server.child)).toBe(true)
    const sent = await readings.stop()
    expect(readings.slowestMs()).toBeLessThan(5_000)
    const stored = await countRows(clickhouse)
    const lost = Array.from({ length: sent }, (_, seq) => `1:${seq}`).filter(
      (key) => stored.get(key) !== VALVES,
    )
    expect(lost).toEqual([])
    const repeated = [...valves.values()].flatMap(({ records }) =>
      [...records.values()].filter(({ executions }) => executions > 1),
    )
    expect(repeated).toEqual([])
    expect(await db.selectFrom('alarm').selectAll().execute()).toEqual([])
    console.log(`${sent} messages stored`)
  },
)
