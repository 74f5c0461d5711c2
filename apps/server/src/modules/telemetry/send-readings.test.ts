import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Permission } from '@isotherm/contract/access/permissions'
import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { addApiKey, SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { sendReadings } from '@isotherm/contract/endpoints/devices/send-readings'
import { htApiEnvelope } from '@isotherm/contract/envelope'
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createRegistryBeside, importAndWait } from '../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

const SENDER: readonly Permission[] = ['ps-interfacesys', 'pd-datadevmanager', 'pd-fmdevmanager']

let server: TestServer
/** A key with the permission to send readings alone, of an account with the whole company. */
let key: string

/** Adds a key of an account. */
async function addKey(account: string, over: Partial<z.input<typeof addApiKey.input>> = {}) {
  const { 'ht-api': token } = await server.logIn(account)
  const input = { name: '平台', permissions: [SEND_READINGS], expiresAt: Date.now() + DAY_MS, ...over }
  const { data, text, code } = await server.call(addApiKey, input, token)
  if (code !== undefined) throw new Error(`${code} ${text}`)
  return { token, ...addApiKey.output.parse(data) }
}

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('sender', SENDER, ['p'])
  // Another company with the same serials, below other nodes.
  await importAndWait(server, createRegistryBeside('other'))
  key = (await addKey('sender')).key
})
afterAll(() => server.stop())

const call = (name: EndpointName, input: unknown, token: string) => server.call(endpoints[name], input, token)

const toMessage = (seq: number, d: readonly unknown[], boot = 7) => ({ v: 1, boot, seq, ts: Date.now(), d })

const toInput = (messages: readonly unknown[], over: object = {}) => ({
  imei: 'C-b2',
  channel: 'history',
  messages,
  ...over,
})

async function send(messages: readonly unknown[], over: object = {}) {
  const { code, text, data } = await call('sendReadings', toInput(messages, over), key)
  if (code !== undefined) throw new Error(`${code} ${text}`)
  return sendReadings.output.parse(data)
}

/** Values of a device in the store by instant. */
async function listStored(serial: string, tenant = 'demo'): Promise<readonly [number, number][]> {
  const id = server.devices.directory.find(tenant, serial)?.id
  const query = `SELECT toUnixTimestamp64Milli(ts), value FROM readings FINAL WHERE device = ${id} ORDER BY ts`
  const answer = await server.clickhouse.query({ query, format: 'JSONCompactEachRow' })
  return z.array(z.tuple([z.coerce.number(), z.number()])).parse(await answer.json())
}

test('readings are stored when the call is answered, once however often it is repeated', async () => {
  const ts = Date.now() - DAY_MS
  const messages = [0, 1].map((seq) =>
    toMessage(seq, [{ id: 'R-b2u1', ts: ts + seq, m: { 'temp.room': 20 + seq } }]),
  )
  const first = await send(messages)
  expect(first.datalist).toEqual(Array(2).fill({ outcome: 'stored', values: 1, faults: [] }))
  expect(first.ack).toEqual({ boot: 7, seq: 1 })
  const stored = [
    [ts, 20],
    [ts + 1, 21],
  ]
  expect(await listStored('R-b2u1')).toEqual(stored)
  const again = await send(messages)
  expect(again.datalist).toEqual(Array(2).fill({ outcome: 'repeated', values: 0, faults: [] }))
  expect(await listStored('R-b2u1')).toEqual(stored)
})

test('unusable readings are quarantined, and the answer has the reason in the language of the caller', async () => {
  const ts = Date.now() - DAY_MS
  const messages = [
    toMessage(
      0,
      [
        { id: 'V-b2u1', ts, m: { 'valve.opening': 40, nonsense: 1 } },
        { ts, m: {} },
      ],
      8,
    ),
    { v: 1, boot: 8, seq: 'one' },
    toMessage(2, [{ id: 'V-b10u1', ts, m: { 'valve.opening': 40 } }], 8),
    toMessage(3, [{ id: 'V-b2u1', ts: ts + 1, m: { 'valve.opening': 41 } }], 8),
  ]
  const { data } = await server.call(endpoints.sendReadings, toInput(messages), key, {
    'Accept-Language': 'zh',
  })
  const { datalist } = sendReadings.output.parse(data)
  expect(datalist.map(({ outcome, values }) => [outcome, values])).toEqual([
    ['stored', 1],
    ['quarantined', 0],
    ['quarantined', 0],
    ['stored', 1],
  ])
  expect(datalist.flatMap(({ faults }) => faults.map(({ entry, reason }) => [entry, reason]))).toEqual([
    [0, 'unknown-metric'],
    [1, 'wrong-schema'],
    [undefined, 'wrong-schema'],
    [0, 'unknown-device'],
  ])
  const [first, second] = datalist
  expect(first?.faults[1]?.text).toMatch(/（id：缺少|（id: 缺少/)
  expect(second?.faults[0]?.text).toMatch(/seq.*应为数字/)
  await server.createAccount('reader', ['ps-interfacesys', 'pd-devdebug'], ['p'])
  const { key: reader } = await addKey('reader', { permissions: ['pd-devdebug'] })
  const { data: listed } = await call('getQuarantine', { imei: 'C-b2' }, reader)
  expect(z.object({ total: z.number() }).parse(listed).total).toBe(4)
})

/** Sends a packed body as it is. */
async function sendPacked(
  body: Buffer,
  endpoint: Pick<Endpoint, 'backend' | 'path'> = sendReadings,
  token = key,
) {
  const response = await fetch(`${server.base}${toUrlPath(endpoint)}`, {
    method: 'POST',
    headers: {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    },
    body: new Uint8Array(body),
  })
  return { http: response.status, ...htApiEnvelope.parse(await response.json()) }
}

test('a packed body is accepted, one that unpacks to more than 1 MB or is damaged is not', async () => {
  const message = toMessage(0, [{ id: 'R-b2u2', ts: Date.now() - DAY_MS, m: { 'temp.room': 19 } }], 9)
  const good = await sendPacked(gzipSync(JSON.stringify(toInput([message]))))
  expect([good.http, good.status]).toEqual([200, '200'])
  expect((await listStored('R-b2u2')).map(([, value]) => value)).toEqual([19])
  const bomb = await sendPacked(gzipSync(Buffer.alloc(20_000_000, ' ')))
  expect([bomb.http, bomb.code]).toEqual([413, 'request.too-large'])
  const damaged = await sendPacked(Buffer.from('not packed at all'))
  expect([damaged.http, damaged.code]).toEqual([400, 'request.malformed'])
})

test('a body is unpacked for a known caller only, and only for this call', async () => {
  const stranger = await sendPacked(Buffer.from('not packed at all'), sendReadings, '')
  expect(stranger.code).toBe('session.missing')
  const wrong = await sendPacked(Buffer.from('not packed at all'), sendReadings, 'isk_none')
  expect(wrong.code).toBe('session.expired')
  const elsewhere = await sendPacked(gzipSync('{}'), endpoints.getDev)
  expect([elsewhere.http, elsewhere.code]).toEqual([400, 'request.not-json'])
})

test('a message that is nested too deeply is in quarantine, the others of its call are stored', async () => {
  const good = toMessage(0, [{ id: 'R-b2u2', ts: Date.now() - 2 * DAY_MS, m: { 'temp.room': 18.5 } }], 10)
  const deep = `{"v":1,"d":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  const whole = JSON.stringify(toInput([good]))
  const body = whole.replace('"messages":[', `"messages":[${deep},`)
  const response = await fetch(`${server.base}${toUrlPath(sendReadings)}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body,
  })
  expect(response.status).toBe(200)
  const answer = htApiEnvelope.parse(await response.json())
  expect(answer.data).toMatchObject({ datalist: [{ outcome: 'quarantined' }, { outcome: 'stored' }] })
})

test('a key with this permission alone reads and changes nothing; one without it does not send', async () => {
  expect((await call('getDev', {}, key)).code).toBe('access.denied')
  expect((await call('getGatewayConfig', { imei: 'C-b2' }, key)).code).toBe('access.denied')
  const { key: other } = await addKey('sender', { permissions: ['pd-datadevmanager'], readOnly: false })
  expect((await call('sendReadings', toInput([toMessage(0, [])]), other)).code).toBe('access.denied')
})

test('a deleted key is refused, and an account without concentrators cannot give the permission', async () => {
  const { key: short, token, record } = await addKey('sender')
  await call('deleteApiKey', { id: record.id, version: record.version }, token)
  expect((await call('sendReadings', toInput([toMessage(0, [])]), short)).code).toBe('api-key.invalid')
  await server.createAccount('valves', ['ps-interfacesys', 'pd-fmdevmanager'], ['p'])
  await expect(addKey('valves')).rejects.toThrow('access.denied')
})

test('a key sends only for gateways that belong to it with all their devices', async () => {
  const message = toMessage(0, [{ id: 'V-b2u1', ts: Date.now() - DAY_MS, m: { 'valve.opening': 40 } }], 10)
  const codeOf = async (token: string, over: object = {}) =>
    (await call('sendReadings', toInput([message], over), token)).code
  // Another company has a gateway with this serial.
  expect(await codeOf(key, { tenant: 'other' })).toBe('device.not-found')
  expect(await codeOf(key, { imei: 'V-b2u1' })).toBe('device.no-gateway')
  const { key: elsewhere } = await addKey('sender', { nodes: [await server.nodeKey('b3')] })
  expect(await codeOf(elsewhere)).toBe('device.not-found')
  // A gateway inside its nodes with a device outside of them.
  const ids = { parent: await server.deviceId('C-b3'), child: await server.deviceId('V-b10u2') }
  await server.db
    .updateTable('device')
    .set({ concentrator_id: ids.parent })
    .where('id', '=', ids.child)
    .execute()
  expect(await codeOf(elsewhere, { imei: 'C-b3' })).toBe('access.denied')
  expect(await listStored('V-b2u1', 'other')).toEqual([])
})

const RECIPE = join(import.meta.dirname, '../../../../../docs/recipes/send-readings-by-http.md')

test('the example of the recipe runs as it is written', async () => {
  const [, script = ''] = /```sh\n(.*?)```/s.exec(await readFile(RECIPE, 'utf8')) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-recipe-'))
  const env = { ...process.env, URL: server.base, KEY: key, GATEWAY: 'C-b10', DEVICE: 'R-b10u1' }
  try {
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env })
    const { data } = htApiEnvelope.parse(JSON.parse(stdout))
    expect(sendReadings.output.parse(data)).toMatchObject({
      datalist: [{ outcome: 'stored', values: 1, faults: [] }],
      ack: { seq: 0 },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  expect((await listStored('R-b10u1')).map(([, value]) => value)).toEqual([20.4])
})

test('the readings of a device are stored as soon as its registration is answered', async () => {
  const { 'ht-api': sender } = await server.logIn('sender')
  const models = server.db.selectFrom('device_model').select('id').where('kind', '=', 'concentrator')
  const { id: modelId } = await models.executeTakeFirstOrThrow()
  const node = await server.nodeKey('b2')
  for (let index = 0; index < 10; index += 1) {
    const imei = `C-fresh-${index}`
    const added = { kind: 'concentrator', imei, name: imei, modelId, node, periodS: 900 }
    expect((await call('insertDev', added, sender)).code).toBeUndefined()
    const ts = Date.now() - DAY_MS
    const { datalist } = await send([toMessage(0, [{ id: imei, ts, m: { rssi: -70 } }])], { imei })
    expect(datalist).toEqual([{ outcome: 'stored', values: 1, faults: [] }])
  }
})
