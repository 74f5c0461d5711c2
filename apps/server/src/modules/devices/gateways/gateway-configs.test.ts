import { permissions } from '@isotherm/contract/access/permissions'
import { deviceProfile } from '@isotherm/contract/device-profile'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { HIDDEN_SECRET } from '@isotherm/contract/gateways/secrets'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
let keeper = ''
let fitter = ''
let partial = ''

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('keeper', ['pd-datadevmanager', 'ps-oplogsys', 'ps-interfacesys'], ['s1'])
  await server.createAccount('fitter', ['pd-fmdevmanager'], ['s1'])
  await server.createAccount('partial', ['pd-datadevmanager'], ['b2'])
  keeper = (await server.logIn('keeper'))['ht-api']
  fitter = (await server.logIn('fitter'))['ht-api']
  partial = (await server.logIn('partial'))['ht-api']
})
afterAll(() => server.stop())

const device = { serial: 'V-b2u1', address: '5', profile: 'valve-modulating-modbus' }
const toConfig = (given: object = {}) => ({
  v: 1,
  dtu: { port: 9000 },
  lines: [
    { driver: 'dtu-tcp', id: 'L1', registration: '867725030000017', devices: [{ ...device, ...given }] },
  ],
})
const set = async (serial: string, version: number, config: object, token = keeper) =>
  server.call(endpoints.setGatewayConfig, { id: await server.deviceId(serial), version, config }, token)
const get = (imei: string, token = keeper) => server.call(endpoints.getGatewayConfig, { imei }, token)
const read = async (imei: string, token = keeper) =>
  getGatewayConfig.output.parse((await get(imei, token)).data)

/** An API key, as a gateway has one. */
async function addKey(name: string): Promise<string> {
  const { data } = await server.call(
    endpoints.addApiKey,
    { name, permissions: ['pd-datadevmanager'], expiresAt: Date.now() + 86_400_000 },
    keeper,
  )
  return endpoints.addApiKey.output.parse(data).key
}

test('a gateway has no configuration until one is set; each change is a new version', async () => {
  expect(await read('C-b2')).toMatchObject({ version: 0, config: null })
  expect((await set('C-b2', 0, toConfig())).data).toMatchObject({ version: 1 })
  const { config } = await read('C-b2')
  expect(config?.lines[0]).toMatchObject({ id: 'L1', devices: [device] })
  expect(config?.dtu).toMatchObject({ port: 9000, idleS: 300 })
  // Neither the number of lines nor that of devices changes.
  expect((await set('C-b2', 1, toConfig({ address: '6' }))).data).toMatchObject({ version: 2 })
  expect((await set('C-b2', 1, toConfig())).code).toBe('entity.stale')
  expect((await read('C-b2')).config?.lines[0]?.devices[0]?.address).toBe('6')
})

test('a device of another gateway, and one that cannot be polled, are refused', async () => {
  expect((await set('C-b10', 0, toConfig())).code).toBe('gateway-config.foreign-device')
  for (const wrong of [{ profile: 'none' }, { profile: 'station-plc-modbus' }, { address: '999' }]) {
    const { code, text } = await set('C-b10', 0, toConfig({ serial: 'V-b10u1', ...wrong }))
    expect(code).toBe('gateway-config.wrong-device')
    expect(text).toContain('V-b10u1')
  }
  const twice = toConfig({ serial: 'V-b10u1' })
  twice.lines[0]?.devices.push({ ...device, serial: 'V-b10u2', address: '05' })
  expect((await set('C-b10', 0, twice)).text).toContain('V-b10u2')
  expect((await set('C-b10', 0, { v: 1, lines: toConfig().lines })).code).toBe('request.malformed')
})

test('an unknown setting is refused, because a misspelt one would silently not apply', async () => {
  for (const wrong of [{ ...toConfig(), later: 1 }, toConfig({ pollS: 60 })])
    expect((await set('C-b2', 2, wrong)).code).toBe('request.malformed')
})

test('only who manages concentrators and is granted all devices of a gateway reads and sets it', async () => {
  expect([(await get('C-b2', fitter)).code, (await set('C-b2', 2, toConfig(), fitter)).code]).toEqual([
    'access.denied',
    'access.denied',
  ])
  expect((await get('C-b3')).code).toBe('device.not-found')
  const id = await server.deviceId('R-b2u1')
  const elsewhere = await server.nodeId('b10')
  const { configId = 0 } = await read('C-b2')
  const gateway = { deviceId: await server.deviceId('C-b2') }
  const line = { ...gateway, line: 'L1' }
  const history = { entity: 'gateway-config', entityId: String(configId) }
  /** Codes of the calls that belong to who may configure the gateway. */
  const listCodes = async (token: string) => [
    (await server.call(endpoints.getLineScans, gateway, token)).code,
    (await server.call(endpoints.startLineScan, { ...line, method: 'cjt188' }, token)).code,
    (await server.call(endpoints.stopLineScan, line, token)).code,
    (await server.call(endpoints.getEntityHistory, history, token)).code,
  ]
  expect(await listCodes(fitter)).toEqual(Array(4).fill('access.denied'))
  expect(await listCodes(partial)).toEqual(Array(4).fill(undefined))
  await server.db.updateTable('device').set({ node_id: elsewhere }).where('id', '=', id).execute()
  expect(await listCodes(partial)).toEqual(Array(4).fill('access.denied'))
  expect((await get('C-b2', partial)).code).toBe('access.denied')
  expect((await set('C-b2', 2, toConfig(), partial)).code).toBe('access.denied')
  await server.db
    .updateTable('device')
    .set({ node_id: await server.nodeId('b2u1h') })
    .where('id', '=', id)
    .execute()
  expect((await get('C-b2', partial)).code).toBeUndefined()
  const valve = { deviceId: await server.deviceId('V-b2u1') }
  expect((await server.call(endpoints.getLineScans, valve, partial)).code).toBe('access.denied')
})

test('a device behind a concentrator has no configuration', async () => {
  const { code } = await set('V-b2u1', 0, toConfig(), (await server.logIn('keeper'))['ht-api'])
  expect(code).toBe('access.denied')
  await server.createAccount('both', ['pd-datadevmanager', 'pd-fmdevmanager'], ['s1'])
  const both = (await server.logIn('both'))['ht-api']
  expect((await set('V-b2u1', 0, toConfig(), both)).code).toBe('device.no-gateway')
})

test('a gateway gets the profiles of the registry that it names; people get what can be set again', async () => {
  const shipped = shippedProfiles.find(({ id }) => id === 'valve-modulating-modbus')
  const profile = { ...shipped, id: 'valve-of-ours' }
  const values = { key: profile.id, kind: 'valve', profile: JSON.stringify(profile) } as const
  await server.db.insertInto('device_profile').values(values).execute()
  const own = toConfig({ serial: 'V-b10u1', profile: profile.id })
  expect((await set('C-b10', 0, own)).code).toBeUndefined()
  const { config } = await read('C-b10', await addKey('gateway profiles'))
  expect(config?.profiles.map(({ id }) => id)).toEqual(['valve-of-ours'])
  expect((await read('C-b10')).config?.profiles).toEqual([])
})

test('the history names the changed fields, without the values', async () => {
  const line = {
    driver: 'dtu-mqtt',
    id: 'L5',
    url: 'mqtt://dtu.example',
    username: 'heat',
    password: 'first-secret',
    upTopic: 'up',
    downTopic: 'down',
  }
  const toWhole = (given: object, ...devices: object[]) => ({
    v: 1,
    lines: [{ ...line, ...given, devices }],
  })
  const { version } = await read('C-b2')
  await set('C-b2', version, toWhole({}, device))
  await set('C-b2', version + 1, toWhole({ password: 'second-secret' }, { ...device, address: '7' }))
  await set('C-b2', version + 2, toWhole({ password: 'third-secret' }, { ...device, address: '8' }))
  const { configId = 0 } = await read('C-b2')
  const { data, body } = await server.call(
    endpoints.getEntityHistory,
    { entity: 'gateway-config', entityId: String(configId) },
    partial,
  )
  const { datalist } = endpoints.getEntityHistory.output.parse(data)
  // The same fields twice in a row are two entries with fields; an earlier text is no value before.
  expect(
    datalist
      .slice(0, 3)
      .map(({ account, before, after }) => [account, before?.last_change, after?.last_change]),
  ).toEqual([
    ['keeper', '', 'L5: password, V-b2u1 (address)'],
    ['keeper', '', 'L5: password, V-b2u1 (address)'],
    ['keeper', '', 'dtu; +L5; −L1'],
  ])
  expect(body).not.toContain('secret')
  await set('C-b2', version + 3, toConfig())
})

test('a profile that a gateway names is neither removed nor renamed, nor changed so that it does not fit', async () => {
  const profile = deviceProfile.parse({
    ...shippedProfiles.find(({ id }) => id === 'valve-modulating-modbus'),
    id: 'valve-in-use',
  })
  const values = { key: profile.id, kind: 'valve', profile: JSON.stringify(profile) } as const
  await server.db.insertInto('device_profile').values(values).execute()
  const { version } = await read('C-b10')
  expect(
    (await set('C-b10', version, toConfig({ serial: 'V-b10u1', profile: profile.id }))).code,
  ).toBeUndefined()
  await server.createAccount('provider', permissions, [], 'provider')
  const provider = (await server.logIn('provider'))['ht-api']
  const { datalist } = endpoints.getAllDevProfiles.output.parse(
    (await server.call(endpoints.getAllDevProfiles, {}, provider)).data,
  )
  const stored = datalist.find(({ profile: { id } }) => id === profile.id)
  const item = { id: stored?.id, version: stored?.version }
  const edit = (changed: object) =>
    server.call(endpoints.editDevProfile, { ...item, profile: { ...profile, ...changed } }, provider)
  const answers = [
    await server.call(endpoints.deleteDevProfile, item, provider),
    await edit({ id: 'valve-renamed' }),
    await edit({ bus: { ...profile.bus, transport: 'tcp' } }),
  ]
  for (const { code, text } of answers) {
    expect(code).toBe('device-profile.in-gateways')
    expect(text).toContain('C-b10')
  }
  expect((await edit({ pollPeriodS: 60 })).code).toBeUndefined()
  // A gateway with a profile of its own under the same id does not need that of the registry.
  const own = { ...toConfig({ serial: 'V-b10u1', profile: profile.id }), profiles: [profile] }
  expect((await set('C-b10', version + 1, own)).code).toBeUndefined()
  const latest = { ...item, version: (item.version ?? 0) + 1 }
  expect((await server.call(endpoints.deleteDevProfile, latest, provider)).code).toBeUndefined()
})

test('an own profile with a line break in its name, which an older version stored, is read, set again and corrected', async () => {
  const profile = shippedProfiles.find(({ id }) => id === device.profile)
  const toWhole = (name: string) => ({
    ...toConfig({ serial: 'V-b10u1' }),
    profiles: [{ ...profile, name: { zh: name, en: name } }],
  })
  const { version } = await read('C-b10')
  expect((await set('C-b10', version, toWhole('阀门'))).code).toBeUndefined()
  const old = JSON.stringify({ zh: '阀\n门', en: 'old\nvalve' })
  await sql`
    update gateway_config set config = jsonb_set(config, '{profiles,0,name}', ${old}::jsonb)
    where device_id = ${await server.deviceId('C-b10')}`.execute(server.db)
  const { config, version: stored } = await read('C-b10')
  expect(config?.profiles[0]?.name).toEqual({ zh: '阀\n门', en: 'old\nvalve' })
  // The console changes lines only, and sends own profiles back as they are.
  expect((await set('C-b10', stored, { ...config, meterZoneMin: 60 })).code).toBeUndefined()
  expect((await set('C-b10', stored + 1, toWhole('阀门'))).code).toBeUndefined()
  expect((await read('C-b10')).config?.profiles[0]?.name).toEqual({ zh: '阀门', en: '阀门' })
  await set('C-b10', stored + 2, toConfig({ serial: 'V-b10u1' }))
})

test('a gateway reads its configuration with an API key, which cannot change it', async () => {
  const key = await addKey('gateway')
  const { version } = await read('C-b2')
  expect((await read('C-b2', key)).version).toBe(version)
  expect((await set('C-b2', version, toConfig(), key)).code).toBe('api-key.not-allowed')
})

test('people see no secret and may set the rest; a gateway gets it with its API key', async () => {
  const { version } = await read('C-b10')
  const line = {
    driver: 'dtu-mqtt',
    id: 'L9',
    url: 'mqtts://dtu.example:8883',
    username: 'heat',
    password: 'broker-password',
    upTopic: 'up',
    downTopic: 'down',
    devices: [],
  }
  const toWhole = (given: object) => ({ v: 1, lines: [{ ...line, ...given }] })
  expect((await set('C-b10', version, toWhole({}))).code).toBeUndefined()
  const shown = (await read('C-b10')).config
  expect(shown?.lines[0]).toMatchObject({ id: 'L9', password: HIDDEN_SECRET })
  const elsewhere = toWhole({ password: HIDDEN_SECRET, url: 'mqtts://other.example:8883' })
  const refused = await set('C-b10', version + 1, elsewhere)
  expect([refused.code, refused.text?.includes('L9')]).toEqual(['gateway-config.no-secret', true])
  expect((await set('C-b10', version + 1, { ...shown, meterZoneMin: 0 })).code).toBeUndefined()
  const { config } = await read('C-b10', await addKey('gateway 2'))
  expect(config).toMatchObject({ meterZoneMin: 0, lines: [{ password: 'broker-password' }] })
})
