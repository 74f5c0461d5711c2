import { endpoints } from '@isotherm/contract/endpoints/all'
import { commandMessage } from '@isotherm/contract/mqtt'
import { expect } from 'vitest'
import { z } from 'zod'
import { connectGateway } from './connect-gateway.testkit.ts'
import { createRegistryBeside } from './core.testkit.ts'
import { startTestServer, type TestServer } from './server.testkit.ts'

/** What happens at the concentrator of a company: a report of two rooms, or an order to its valve. */
export type Step =
  | { readonly kind: 'report'; readonly roomsC: readonly [number, number]; readonly strange: boolean }
  | { readonly kind: 'order'; readonly openingPct: number; readonly isDone: boolean }

/** The steps of each company by its tenant. */
export type Steps = Readonly<Record<string, readonly Step[]>>

const GATEWAY = 'C-b2'
const ROOMS = ['R-b2u1', 'R-b2u2'] as const
const VALVE = 'V-b2u1'
/** Rooms below are cold, °C. */
export const COLD_C = 16

/** Everything that the servers know afterwards, without ids and instants. */
export interface Outcome {
  readonly readings: readonly unknown[]
  readonly quarantine: readonly unknown[]
  readonly alarms: readonly unknown[]
  readonly commands: readonly unknown[]
}

/**
 * Stores with companies that no server serves yet. The server that created them serves none of them, so it also shows that a
 * server takes no work of others.
 */
async function createStores(tenants: readonly string[]): Promise<TestServer> {
  const server = await startTestServer({
    settings: { ISOTHERM_TENANTS: 'nobody' },
    registries: tenants.map(createRegistryBeside),
  })
  await server.createAccount('whole', ['pe-fmcontrol'], [], 'provider')
  for (const tenant of tenants) {
    const { id, company_id } = await server.db
      .selectFrom('node')
      .select(['id', 'company_id'])
      .where('key', '=', `${tenant}-p`)
      .executeTakeFirstOrThrow()
    await server.db
      .insertInto('alarm_rule')
      .values({
        company_id,
        node_id: id,
        kind: 'room-cold',
        device_kinds: [],
        enabled: true,
        severity: 'minor',
        raise_at: COLD_C,
        clear_at: COLD_C,
        raise_after_s: 0,
        clear_after_s: 0,
      })
      .execute()
  }
  return server
}

/** Tenants of the devices that a server knows. */
const listKnown = ({ devices }: TestServer): readonly string[] =>
  [...new Set([...devices.directory.entries()].map(({ tenant }) => tenant))].toSorted()

/** A server, and the token of an account there that sees everything. */
interface SignedIn {
  readonly server: TestServer
  readonly token: string
}

/** Takes the steps of a company at its server, one after the other. */
async function play({ server, token }: SignedIn, tenant: string, steps: readonly Step[]): Promise<void> {
  const { client, send, toTopic, leave } = await connectGateway(server, GATEWAY, { tenant })
  await client.subscribeAsync(toTopic('down/cmd'), { qos: 1 })
  const deviceId = server.devices.directory.find(tenant, VALVE)?.id
  let seq = 0
  let replies = 0
  let last = 0
  // Two reports within a millisecond would be one reading.
  const now = (): number => {
    last = Math.max(last + 1, Date.now())
    return last
  }
  const report = (d: readonly { readonly id: string; readonly m: object }[]) => {
    const ts = now()
    return send('telemetry', { v: 1, boot: 1, seq: seq++, ts, d: d.map((child) => ({ ...child, ts })) })
  }
  const reply = (id: string, stage: string, code: number) =>
    send('reply', { v: 1, id, dev: VALVE, stage, code, ts: now(), boot: 1, seq: replies++ })

  await send('birth', { v: 1, online: true, boot: 1, ts: Date.now() })
  for (const step of steps) {
    if (step.kind === 'report') {
      await report([
        ...ROOMS.map((id, index) => ({ id, m: { 'temp.room': step.roomsC[index] } })),
        ...(step.strange ? [{ id: 'stranger', m: { 'temp.room': 20 } }] : []),
      ])
      continue
    }
    const order = { targets: [{ deviceId, openingPct: step.openingPct }], reason: 'test' }
    const arrived = new Promise<Buffer>((resolve) =>
      client.once('message', (_topic, payload) => resolve(payload)),
    )
    expect((await server.call(endpoints.publishMqCtlCmd, order, token)).code).toBeUndefined()
    const { id } = commandMessage.parse(JSON.parse(String(await arrived)))
    await reply(id, 'accepted', 0)
    await reply(id, 'done', step.isDone ? 0 : 500)
    if (step.isDone) await report([{ id: VALVE, m: { 'valve.opening': step.openingPct } }])
    await expect.poll(() => findState(server, id)).toBe(step.isDone ? 'confirmed' : 'failed')
  }
  await leave()
}

const findState = async ({ db }: TestServer, id: string) =>
  (await db.selectFrom('command').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

async function query(server: TestServer, text: string): Promise<readonly unknown[][]> {
  const answer = await server.clickhouse.query({ query: text, format: 'JSONCompactEachRow' })
  return z.array(z.array(z.unknown())).parse(await answer.json())
}

async function readOutcome(server: TestServer): Promise<Outcome> {
  const devices = await server.db
    .selectFrom('device')
    .innerJoin('company', 'company.id', 'device.company_id')
    .select(['device.id', 'company.tenant', 'device.serial'])
    .execute()
  const names = new Map(devices.map(({ id, tenant, serial }) => [id, `${tenant}/${serial}`]))
  const toName = (id: unknown): string => names.get(Number(id)) ?? `unknown ${id}`
  const readings = await query(
    server,
    'SELECT device, node, boot, seq, metric, value, quality FROM readings FINAL',
  )
  const alarms = await server.db
    .selectFrom('alarm')
    .select(['device_id', 'kind', 'state', 'severity', 'value', 'occurrences'])
    .execute()
  const commands = await server.db
    .selectFrom('command')
    .select(['device_id', 'state', 'opening_pct', 'attempts'])
    .orderBy('id')
    .execute()
  const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join(' ')).toSorted()
  return {
    readings: sorted(readings.map(([device, node, ...row]) => [toName(device), toName(node), ...row])),
    quarantine: sorted(await query(server, 'SELECT topic, node, reason FROM quarantine')),
    alarms: sorted(alarms.map(({ device_id, ...alarm }) => [toName(device_id), ...Object.values(alarm)])),
    commands: sorted(
      commands.map(({ device_id, ...command }) => [toName(device_id), ...Object.values(command)]),
    ),
  }
}

/**
 * Takes the steps of all companies at servers that serve them: one server for each list of tenants; undefined is one server for
 * all. Resolves with what is stored once `isComplete` accepts it.
 */
export async function runCompanies(
  steps: Steps,
  split: readonly (readonly string[] | undefined)[],
  isComplete: (outcome: Outcome) => void,
): Promise<Outcome> {
  const tenants = Object.keys(steps)
  const stores = await createStores(tenants)
  expect(listKnown(stores)).toEqual([])
  const servers: TestServer[] = []
  try {
    const signedIn: (readonly [SignedIn, readonly string[]])[] = []
    for (const served of split) {
      const settings: Record<string, string> =
        served === undefined ? {} : { ISOTHERM_TENANTS: served.join(',') }
      const server = await startTestServer({ settings, beside: stores })
      servers.push(server)
      expect(listKnown(server)).toEqual(served ?? tenants)
      // Sign-ins at the same time would be slowed down.
      const token = (await server.logIn('whole'))['ht-api']
      signedIn.push([{ server, token }, served ?? tenants])
    }
    await Promise.all(
      signedIn.flatMap(([at, served]) => served.map((tenant) => play(at, tenant, steps[tenant] ?? []))),
    )
    await expect.poll(async () => isComplete(await readOutcome(stores))).toBeUndefined()
    return await readOutcome(stores)
  } finally {
    for (const server of servers) await server.stop()
    await stores.stop()
  }
}
