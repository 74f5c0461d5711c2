import { encodeCjtHeatReply, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import type { InputOf } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import {
  type adoptDevice,
  getUnregisteredDevices,
} from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { toUpTopic } from '@isotherm/contract/mqtt'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { sql } from 'kysely'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import type { UnregisteredReport } from './unregistered-report.ts'
import { storeUnregistered } from './unregistered-store.pg.ts'

const MANAGING = ['pd-datadevmanager', 'pd-caldevmanager', 'ps-oplogsys', 'ps-interfacesys'] as const

let server: TestServer
let client: MqttClient
let tokens: Readonly<Record<'keeper' | 'fitter' | 'stranger', string>>

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('keeper', [...MANAGING], ['s1'])
  await server.createAccount('fitter', ['pd-fmdevmanager'], ['s1'])
  await server.createAccount('stranger', [...MANAGING], ['s2'])
  const logIn = async (name: string) => (await server.logIn(name))['ht-api']
  tokens = {
    keeper: await logIn('keeper'),
    fitter: await logIn('fitter'),
    stranger: await logIn('stranger'),
  }
  await server.db.insertInto('device_model').values({ kind: 'heat-meter', name: 'T1' }).execute()
  const { data } = await server.call(
    endpoints.showGatewayLogin,
    { id: await server.deviceId('C-b2') },
    tokens.keeper,
  )
  const { clientId, username, password } = endpoints.showGatewayLogin.output.parse(data)
  client = await connectAsync(`mqtt://127.0.0.1:${server.mqttPort}`, { clientId, username, password })
})
afterAll(async () => {
  await client.endAsync()
  await server.stop()
})

const send = (channel: 'telemetry' | 'unregistered', body: object) =>
  client.publishAsync(toUpTopic('demo', 'C-b2', channel), JSON.stringify({ v: 1, ...body }), { qos: 1 })

let seq = 0
const sendReadings = (id: string, m: object) =>
  send('telemetry', { boot: 1, seq: seq++, ts: Date.now(), d: [{ id, ts: Date.now(), m }] })

async function list(who: keyof typeof tokens = 'keeper', query: object = {}) {
  const { code, data } = await server.call(endpoints.getUnregisteredDevices, query, tokens[who])
  expect(code).toBeUndefined()
  return getUnregisteredDevices.output.parse(data).datalist
}
const find = async (address: string) =>
  (await list()).find((unregistered) => unregistered.address === address)

async function toAdoption(
  id: number,
  over: Partial<InputOf<typeof adoptDevice>> = {},
): Promise<InputOf<typeof adoptDevice>> {
  const kind = over.kind ?? 'heat-meter'
  const model = server.db.selectFrom('device_model').select('id').where('kind', '=', kind)
  return {
    id,
    kind,
    imei: 'X-1',
    name: '新热表',
    modelId: (await model.executeTakeFirstOrThrow()).id,
    node: await server.nodeKey('b2'),
    periodS: 900,
    description: '',
    ...over,
  }
}
const adopt = (input: object, who: keyof typeof tokens = 'keeper') =>
  server.call(endpoints.adoptDevice, input, tokens[who])

const toReport = (gatewayId: number, over: Partial<UnregisteredReport> = {}): UnregisteredReport => ({
  gatewayId,
  via: 'readings',
  line: '',
  address: 'E-9',
  said: { m: { 'heat.energy': 5 } },
  count: 1,
  at: Date.now(),
  ...over,
})

/** What a heat meter answers, in hexadecimal. */
function encodeCjtReadAnswer(text: string): string {
  const address = toCjtAddress(text)
  const values = {
    settlementKwh: 1,
    energyKwh: 77,
    powerKw: 9.5,
    flowM3h: 0.8123,
    volumeM3: 99.5,
    supplyTempC: 48.25,
    returnTempC: 38.1,
    hours: 4321,
    clockMs: 1_767_882_600_000,
    zoneMs: 0,
    status: 0,
  }
  return Buffer.from((address && encodeCjtHeatReply({ address, sequence: 1 }, values)) ?? []).toString('hex')
}

test('a serial that the concentrator names is listed with its values and kind, adopted, and then read', async () => {
  await sendReadings('E-1', { 'heat.energy': 1234, 'temp.supply': 48.5, secret: 1 })
  await sendReadings('E-1', { 'heat.energy': 1235 })
  await expect.poll(async () => (await find('E-1'))?.count).toBe(2)
  const unregistered = await find('E-1')
  expect(unregistered).toMatchObject({
    via: 'readings',
    gatewaySerial: 'C-b2',
    line: '',
    isTaken: false,
    guess: { kind: 'heat-meter', reason: 'only-kind' },
  })
  expect(unregistered?.values).toEqual(
    expect.arrayContaining([
      { metric: 'heat.energy', value: 1235 },
      { metric: 'temp.supply', value: 48.5 },
    ]),
  )
  const { code, data } = await adopt(await toAdoption(unregistered?.id ?? 0, { imei: 'E-1', name: '热表一' }))
  expect(code).toBeUndefined()
  expect(endpoints.adoptDevice.output.parse(data)).toMatchObject({
    imei: 'E-1',
    kind: 'heat-meter',
    concentrator: 'C-b2',
    abilities: ['edit', 'remove'],
  })
  expect(await find('E-1')).toBeUndefined()
  const again = await adopt(await toAdoption(unregistered?.id ?? 0, { imei: 'E-2' }))
  expect(again.code).toBe('unregistered-device.not-found')
  await expect.poll(() => server.devices.directory.find('demo', 'E-1')).toBeDefined()
  const id = await server.deviceId('E-1')
  await expect
    .poll(async () => {
      await sendReadings('E-1', { 'heat.energy': 1236 })
      const { body } = await server.call(
        endpoints.rbacGetDataLastFromLeafs,
        { deviceIds: [id] },
        tokens.keeper,
      )
      return body.includes('1236')
    })
    .toBe(true)
  const log = await server.call(endpoints.getOperations, { endpoint: 'adoptDevice' }, tokens.keeper)
  expect(log.body).toContain('keeper')
  expect(log.body).toContain('E-1')
})

test('what a gateway receives on a line is read by the best profile, and adopted into the line', async () => {
  const gatewayId = await server.deviceId('C-b2')
  const line = { driver: 'dtu-tcp', id: 'L1', registration: '867725030000017', devices: [] }
  const config = { v: 1, dtu: { port: 9000 }, lines: [line] }
  await server.call(endpoints.setGatewayConfig, { id: gatewayId, version: 0, config }, tokens.keeper)
  const hex = encodeCjtReadAnswer('00001112345678')
  const d = [
    { line: 'L1', address: '00001112345678', n: 3, ts: 5, hex },
    { line: 'L7', address: '1', n: 1, ts: 5, hex: '00' },
    { address: '867725030000018', n: 1, ts: 5 },
  ]
  await send('unregistered', { d })
  await expect.poll(async () => (await find('00001112345678'))?.count).toBe(3)
  const unregistered = await find('00001112345678')
  expect(unregistered).toMatchObject({
    via: 'line',
    line: 'L1',
    hex,
    guess: { kind: 'heat-meter', profile: 'heat-meter-cjt188', found: 7, of: 7 },
  })
  expect(unregistered?.values).toContainEqual({ metric: 'heat.energy', value: 77 })

  // Refused as a whole: nothing is registered.
  const wrong = await toAdoption(unregistered?.id ?? 0, { imei: 'M-1', profile: 'station-plc-modbus' })
  expect((await adopt(wrong)).code).toBe('gateway-config.wrong-device')
  expect(server.devices.directory.find('demo', 'M-1')).toBeUndefined()

  expect((await adopt({ ...wrong, profile: 'heat-meter-cjt188' })).code).toBeUndefined()
  const { data } = await server.call(endpoints.getGatewayConfig, { imei: 'C-b2' }, tokens.keeper)
  expect(getGatewayConfig.output.parse(data).config?.lines[0]?.devices).toEqual([
    { serial: 'M-1', address: '00001112345678', profile: 'heat-meter-cjt188' },
  ])
  const noLine = await toAdoption((await find('1'))?.id ?? 0, { imei: 'M-2', profile: 'heat-meter-cjt188' })
  expect((await adopt(noLine)).code).toBe('unregistered-device.no-line')
  const unit = await find('867725030000018')
  expect([unit?.via, unit?.guess]).toEqual(['unit', undefined])
  expect((await adopt(await toAdoption(unit?.id ?? 0, { imei: 'M-3' }))).code).toBe(
    'unregistered-device.no-line',
  )
})

test('a profile that only the gateway has takes part in the guess, and in the adoption', async () => {
  const gatewayId = await server.deviceId('C-b2')
  const { data } = await server.call(endpoints.getGatewayConfig, { imei: 'C-b2' }, tokens.keeper)
  const { version, config } = getGatewayConfig.output.parse(data)
  const shipped = shippedProfiles.find(({ id }) => id === 'heat-meter-cjt188')
  // It replaces the shipped one with its id, as it does in the gateway.
  const profiles = [{ ...shipped, name: { zh: '本站热表', en: 'Own' }, kind: 'station' }]
  const set = { id: gatewayId, version, config: { ...config, profiles } }
  expect((await server.call(endpoints.setGatewayConfig, set, tokens.keeper)).code).toBeUndefined()
  const frame = encodeCjtReadAnswer('00001112345699')
  await storeUnregistered(server.db, [
    toReport(gatewayId, { via: 'line', line: 'L1', address: '00001112345699', said: { hex: frame } }),
  ])
  expect((await find('00001112345699'))?.guess).toMatchObject({
    kind: 'station',
    profile: 'heat-meter-cjt188',
  })
})

test('an adoption waits for the removal of its gateway without holding what that needs', async () => {
  const gatewayId = await server.deviceId('C-b2')
  await storeUnregistered(server.db, [toReport(gatewayId, { address: 'E-77' })])
  const { id = 0 } = (await find('E-77')) ?? {}
  const adoption = await toAdoption(id, { imei: 'E-77' })
  const adopting = await server.db.transaction().execute(async (transaction) => {
    await sql`select from device where id = ${gatewayId} for update`.execute(transaction)
    const answer = adopt(adoption)
    await expect
      .poll(async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
        return rows[0]?.count
      })
      .toBeGreaterThan(0)
    // As the removal does by its foreign key. It must not have to wait: the adoption waits for it.
    await sql`set local lock_timeout = '200ms'`.execute(transaction)
    await sql`delete from unregistered_device where gateway_id = ${gatewayId} and address = 'E-77'`.execute(
      transaction,
    )
    return { answer }
  })
  expect((await adopting.answer).code).toBe('unregistered-device.not-found')
})

test('only who manages concentrators of the place sees and adopts what they receive', async () => {
  const gatewayId = await server.deviceId('C-b2')
  await storeUnregistered(server.db, [toReport(gatewayId)])
  const unregistered = await find('E-9')
  expect(await list('fitter')).toEqual([])
  expect(await list('stranger')).toEqual([])
  const { code } = await server.call(
    endpoints.getUnregisteredDevices,
    { deviceId: gatewayId },
    tokens.stranger,
  )
  expect(code).toBe('device.not-found')
  const adoption = await toAdoption(unregistered?.id ?? 0, { imei: 'E-9' })
  expect((await adopt(adoption, 'fitter')).code).toBe('access.denied')
  const elsewhere = await server.nodeKey('s2')
  const foreign = await adopt({ ...adoption, node: elsewhere }, 'stranger')
  expect(foreign.code).toBe('unregistered-device.not-found')
  expect((await adopt({ ...adoption, node: elsewhere })).code).toBe('node.not-found')
  expect((await adopt({ ...adoption, imei: 'V-b2u1' })).code).toBe('entity.taken')
  expect((await adopt({ ...adoption, kind: 'valve' })).code).toBe('access.denied')
})

test('a device that is registered behind another concentrator is marked as registered; one behind the same concentrator is not listed', async () => {
  const gatewayId = await server.deviceId('C-b2')
  const serials = ['V-b3u1', 'V-b2u1']
  await storeUnregistered(
    server.db,
    serials.map((address) => toReport(gatewayId, { address })),
  )
  expect(await find('V-b3u1')).toMatchObject({ isTaken: true })
  expect(await find('V-b2u1')).toBeUndefined()
})

test('data of a device outside the access are not shown, and an address on a line is no serial', async () => {
  const gatewayId = await server.deviceId('C-b2')
  const said = { m: { 'heat.energy': 5 } }
  await storeUnregistered(server.db, [
    toReport(gatewayId, { address: 'V-b3u2', said }),
    toReport(gatewayId, { address: 'V-b10u1', said }),
    toReport(gatewayId, { address: 'V-b3u1', said, via: 'line', line: 'L9' }),
  ])
  const found = await list()
  const of = (address: string, via: string) => found.find((one) => one.address === address && one.via === via)
  expect(of('V-b3u2', 'readings')).toMatchObject({ isTaken: true, values: [] })
  expect(of('V-b10u1', 'readings')).toMatchObject({ isTaken: true, values: [{ value: 5 }] })
  expect(of('V-b3u1', 'line')).toMatchObject({ isTaken: false })
})

test('what the configuration has is not listed, although the gateway may still report it', async () => {
  const gatewayId = await server.deviceId('C-b2')
  await storeUnregistered(server.db, [
    toReport(gatewayId, { via: 'line', line: 'L1', address: '1112345678' }),
    toReport(gatewayId, { via: 'line', line: 'L8', address: '1112345678' }),
    toReport(gatewayId, { via: 'unit', address: '867725030000017' }),
  ])
  const found = (await list()).map(({ via, line, address }) => `${via} ${line} ${address}`)
  expect(found).toContain('line L8 1112345678')
  expect(found).not.toContain('line L1 1112345678')
  expect(found).not.toContain('unit  867725030000017')
})

test('a gateway with many rows does not displace those of another', async () => {
  const [many, one] = [await server.deviceId('C-b2'), await server.deviceId('C-b10')]
  await storeUnregistered(server.db, [toReport(one, { address: 'older', at: Date.now() - 60_000 })])
  const reports = Array.from({ length: 1_100 }, (_, at) =>
    toReport(many, { address: `Q-${at}`, at: Date.now() + at }),
  )
  await storeUnregistered(server.db, reports)
  const { data } = await server.call(endpoints.getUnregisteredDevices, { deviceId: one }, tokens.keeper)
  expect(getUnregisteredDevices.output.parse(data).datalist).toMatchObject([{ address: 'older' }])
})

test('a company has at most a thousand, those that were last received', async () => {
  const gatewayId = await server.deviceId('C-b2')
  const reports = Array.from({ length: 1_010 }, (_, at) =>
    toReport(gatewayId, { address: `N-${at}`, at: Date.now() + 1_000 + at }),
  )
  await storeUnregistered(server.db, reports)
  const { data } = await server.call(endpoints.getUnregisteredDevices, {}, tokens.keeper)
  expect(getUnregisteredDevices.output.parse(data).total).toBe(1_000)
  expect((await list())[0]?.address).toBe('N-1009')
})
