import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type CommandState, finalCommandStates, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { createTestClickhouse, createTestDatabase } from '@isotherm/engines/testkit'
import { createRandom } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../platform/log.ts'
import { createDatabase, type Database } from '../../../platform/postgres/database.pg.ts'
import { kill, launchServer, MQTT_SECRET } from '../../../testing/server-process.testkit.ts'
import { DEMO_PASSWORD, toClientHash } from '../../session/index.ts'
import { createWideRegistry } from '../commands.testkit.ts'
import { type ClockSettings, createFastClock } from '../fast-clock.testkit.ts'
import { type SimulatedValve, startGateway, type ValveRecord } from '../simulated-field.testkit.ts'

/** The full test has 5,000 valves and ten server kills; normal test runs use a shorter one. */
const isWholeForm = Number(process.env.ISOTHERM_FAULT_SECONDS ?? 0) >= 30
const size = isWholeForm
  ? { gateways: 25, each: 196, sleeping: 100, kills: 10 }
  : { gateways: 10, each: 46, sleeping: 40, kills: 3 }
/** Speed of the clocks of server and devices, as a multiple of the machine's clock. */
const FACTOR = 10
/** Longer than the test by the fast clock: deadlines pass only when the clock jumps. */
const VALIDITY_S = 4 * 3_600
/** Number of open commands when nearly all are answered. */
const FEW_OPEN = 0.1
/** Time without answers after which none follow: longer than the last retry of a command. */
const QUIET_MS = 15_000
const VALVES = size.gateways * size.each + size.sleeping
/** Valves that get another command during the first batch. */
const ORDERED_AGAIN = Math.floor(VALVES / 5)
const TIMEOUT_MS = isWholeForm ? 900_000 : 300_000

const issued = z.object({ data: z.object({ data: z.string() }).or(z.string()) })
const given = z.object({ data: z.object({ batchId: z.string() }) })

const sleepers = Array.from({ length: size.sleeping }, (_, index) => `S${index + 1}`)

function createRegistry() {
  const wide = createWideRegistry(size.gateways, size.each)
  const asleep = wide.devices.find(({ serial }) => serial === 'S1')
  if (!asleep) throw new Error('the registry has no sleeping valve S1')
  const others = wide.devices.filter((device) => device !== asleep)
  const devices = [...others, ...sleepers.map((serial) => ({ ...asleep, serial, name: serial }))]
  return {
    ...wide,
    devices: devices.map((device) => ({ ...device, periodS: Math.max(900, device.periodS) })),
  }
}

const launch = (env: NodeJS.ProcessEnv, settings: ClockSettings) =>
  launchServer(env, new URL('../fast-server.testkit.ts', import.meta.url), [JSON.stringify(settings)])

/** Signs in. Returns a function that sends a batch. */
async function signIn(port: number) {
  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const credentials = { username: 'admin', password: toClientHash(DEMO_PASSWORD) }
  const first = await post(toUrlPath(endpoints.login), {}, credentials)
  const Cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  const { data } = issued.parse(
    await (await post(toUrlPath(endpoints.tokenLogin), { Cookie }, credentials)).json(),
  )
  const Authorization = `Bearer ${typeof data === 'string' ? data : data.data}`
  return async (deviceIds: readonly number[], openingPct: number, validityS: number): Promise<string> => {
    const targets = deviceIds.map((deviceId) => ({ deviceId, openingPct }))
    const order = { targets, reason: 'faults', validityS }
    const answer = await post(toUrlPath(endpoints.publishMqCtlCmd), { Authorization }, order)
    const text = await answer.text()
    const taken = given.safeParse(JSON.parse(text))
    if (!taken.success) throw new Error(`the server refused an order: ${text.slice(0, 500)}`)
    return taken.data.data.batchId
  }
}

const countOpen = async (db: Database): Promise<number> => {
  const found = db.selectFrom('command').where('deadline_ms', 'is not', null)
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

/** Waits until few commands are open or no more answers arrive; the rest waits for its deadline. */
async function settle(db: Database, few: number): Promise<void> {
  let last = await countOpen(db)
  for (let quietMs = 0; last > few && quietMs < QUIET_MS; ) {
    await pause(500)
    const open = await countOpen(db)
    quietMs = open === last ? quietMs + 500 : 0
    last = open
  }
}

interface Row {
  readonly id: string
  readonly batchId: string
  readonly serial: string
  readonly state: CommandState
  readonly rev: number
  readonly openingPct: number | null
}

const listRows = (db: Database): Promise<Row[]> =>
  db
    .selectFrom('command')
    .innerJoin('device', 'device.id', 'command.device_id')
    .select(['command.id', 'batch_id as batchId', 'serial', 'state', 'rev', 'opening_pct as openingPct'])
    .execute()

/** Why the server's state of a command contradicts its valve; undefined if it does not. */
function findContradiction(row: Row, record: ValveRecord | undefined, newestRev: number): string | undefined {
  if (!finalCommandStates.has(row.state)) return 'is not at its end'
  if (record && (record.executions > 1 || record.message.rev !== row.rev)) return 'was executed twice'
  switch (row.state) {
    case 'confirmed':
      return record?.isDone && record.message.args.opening === row.openingPct ? undefined : 'was not done'
    case 'failed':
      return record?.code === 500 ? undefined : 'did not fail'
    case 'expired':
      return record?.executions ? 'was executed' : undefined
    case 'superseded':
      return row.rev < newestRev ? undefined : 'is the newest'
    case 'unknown':
      // The server has received that the device has it, and no more.
      return undefined
    default:
      return 'has no command'
  }
}

test(`B13: a batch of ${VALVES} valves that sleep and lose, reorder and repeat messages completes after ${size.kills + 1} kills of the server`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-batches-'))
  const [database, clickhouse] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  const registryFile = join(folder, 'registry.json')
  await writeFile(registryFile, JSON.stringify(createRegistry()))
  const settings: ClockSettings = { syncedAt: Date.now(), factor: FACTOR, aheadMs: 0 }
  const clock = createFastClock(settings)
  const random = createRandom(20_261_121)
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  const env = (port: number, mqttPort: number): NodeJS.ProcessEnv => ({
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: clickhouse.url,
    ISOTHERM_REGISTRY_FILE: registryFile,
    ISOTHERM_PORT: String(port),
    ISOTHERM_MQTT_PORT: String(mqttPort),
  })
  let running = await launch(env(0, 0), settings)
  const { port, mqttPort } = running
  const valves = new Map<string, SimulatedValve>()
  const gateways: ReturnType<typeof startGateway>[] = []
  const field = { tenant: 'test', secret: MQTT_SECRET, mqttPort, clock, random }
  const toValve = (serial: string): SimulatedValve => {
    const valve = { serial, rev: 0, openingPct: 35, records: new Map() }
    valves.set(serial, valve)
    return valve
  }
  try {
    for (let number = 1; number <= size.gateways; number += 1) {
      const own = Array.from({ length: size.each }, (_, index) => toValve(`C${number}V${index + 1}`))
      gateways.push(startGateway(field, `C${number}`, own, false))
    }
    for (const serial of sleepers) gateways.push(startGateway(field, serial, [toValve(serial)], true))

    const devices = await db
      .selectFrom('device')
      .select('id')
      .where('kind', '=', 'valve')
      .orderBy('id')
      .execute()
    const ids = devices.map(({ id }) => id)
    expect(ids).toHaveLength(VALVES)
    const sendOrder = await signIn(port)
    const first = await sendOrder(ids, 60, VALIDITY_S)
    let second = ''
    for (let count = 1; count <= size.kills; count += 1) {
      await pause(300 + 1_500 * random())
      if (count === 2) second = await (await signIn(port))(ids.slice(-ORDERED_AGAIN), 80, VALIDITY_S)
      await kill(running.child)
      running = await launch(env(port, mqttPort), settings)
    }
    await settle(db, (VALVES + ORDERED_AGAIN) * FEW_OPEN)
    // The last downtime is longer than any deadline.
    await kill(running.child)
    settings.aheadMs = 2 * VALIDITY_S * 1_000
    running = await launch(env(port, mqttPort), settings)
    await expect.poll(() => countOpen(db), { timeout: TIMEOUT_MS / 3, interval: 250 }).toBe(0)

    const rows = await listRows(db)
    const newest = new Map<string, number>()
    for (const { serial, rev } of rows) newest.set(serial, Math.max(rev, newest.get(serial) ?? 0))
    const contradictions = rows.flatMap((row) => {
      const contradiction = findContradiction(
        row,
        valves.get(row.serial)?.records.get(row.id),
        newest.get(row.serial) ?? 0,
      )
      return contradiction === undefined ? [] : [`${row.serial} ${row.id} ${row.state}: ${contradiction}`]
    })
    expect(contradictions).toEqual([])
    // No command was lost, and no valve received an unknown one.
    expect(rows.filter(({ batchId }) => batchId === first)).toHaveLength(VALVES)
    expect(rows.filter(({ batchId }) => batchId === second)).toHaveLength(ORDERED_AGAIN)
    expect(rows).toHaveLength(VALVES + ORDERED_AGAIN)
    const known = new Set(rows.map(({ id }) => id))
    const received = [...valves.values()].flatMap(({ records }) => [...records.keys()])
    expect(received.filter((id) => !known.has(id))).toEqual([])

    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(rows, ({ state }) => state)).map(([state, all]) => [
        state,
        all?.length ?? 0,
      ]),
    )
    console.log(
      `${rows.length} commands to ${VALVES} valves, ${size.kills + 1} deaths: ${JSON.stringify(counts)}`,
    )
    // On an idle machine most commands are confirmed; on any machine some are.
    expect(counts.confirmed ?? 0).toBeGreaterThan(rows.length / 5)
    const near = (serial: string, pct: number | null) =>
      Math.abs((valves.get(serial)?.openingPct ?? 0) - (pct ?? 0)) <= OPENING_TOLERANCE_PCT
    const last = rows.filter((row) => row.state === 'confirmed' && row.rev === newest.get(row.serial))
    expect(last.filter((row) => !near(row.serial, row.openingPct))).toEqual([])
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.close()))
    await kill(running.child)
    await db.destroy()
    await Promise.all([database.drop(), clickhouse.drop(), rm(folder, { recursive: true, force: true })])
  }
})
