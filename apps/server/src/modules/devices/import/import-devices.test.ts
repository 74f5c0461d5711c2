import { permissions } from '@isotherm/contract/access/permissions'
import type { RegistryDevice } from '@isotherm/contract/network/registry-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { importRegistry } from './import-registry.testkit.ts'
import { parseRegistryFile } from './import-registry.ts'

const IMEI = '490154203237518'
const OTHER_IMEI = '356938035643809'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const meter: RegistryDevice = {
  serial: 'M-b2',
  kind: 'heat-meter',
  name: 'M',
  model: 'T1',
  node: 'b2',
  concentrator: 'C-b2',
  periodS: 60,
}

/** The small registry with a heat meter. `changes`: changed device fields by serial. */
function createNumbered(changes: Readonly<Record<string, Partial<RegistryDevice>>>, tenant = 'demo') {
  const file = createRegistry(tenant)
  const devices = [...file.devices, meter].map((device) => ({ ...device, ...changes[device.serial] }))
  return { ...file, devices }
}

async function numbersOf(...serials: string[]) {
  const ids = await Promise.all(serials.map((serial) => core.deviceId(serial)))
  const found = await core.devices.service.getDevices(scopeOfEverything, ids)
  return found.map(({ radioImei, meterNo }) => radioImei ?? meterNo)
}

test('IMEI and meter number are stored and returned with the device', async () => {
  await importRegistry(core.db, createNumbered({ 'C-b2': { imei: IMEI }, 'M-b2': { meterNo: '20417733' } }))
  expect(await numbersOf('C-b2', 'M-b2', 'C-b3')).toEqual([IMEI, '20417733', undefined])
})

test('a file without these numbers does not remove them', async () => {
  await importRegistry(core.db, createNumbered({}))
  expect(await numbersOf('C-b2', 'M-b2')).toEqual([IMEI, '20417733'])
})

test('a radio that moves to another device takes its IMEI along, also in a swap', async () => {
  await importRegistry(core.db, createNumbered({ 'C-b3': { imei: IMEI } }))
  expect(await numbersOf('C-b2', 'C-b3')).toEqual([undefined, IMEI])
  await importRegistry(core.db, createNumbered({ 'C-b2': { imei: OTHER_IMEI } }))
  await importRegistry(core.db, createNumbered({ 'C-b2': { imei: IMEI }, 'C-b3': { imei: OTHER_IMEI } }))
  expect(await numbersOf('C-b2', 'C-b3')).toEqual([IMEI, OTHER_IMEI])
})

test('two companies may have the same number', async () => {
  await importRegistry(core.db, createNumbered({ 'C-b2': { imei: IMEI } }, 'another'))
  const { rows } = {
    rows: await core.db.selectFrom('device').select('serial').where('imei', '=', IMEI).execute(),
  }
  expect(rows).toHaveLength(2)
})

test.each([
  ['an IMEI used twice', { 'C-b2': { imei: IMEI }, 'C-b3': { imei: IMEI } }, 'IMEI'],
  [
    'a meter number used twice',
    { 'M-b2': { meterNo: '1234' }, 'C-b3': { kind: 'heat-meter', meterNo: '1234', concentrator: 'C-b2' } },
    'meter number',
  ],
] as const)('a file with %s is refused', async (_what, changes, words) => {
  const file = createNumbered(changes)
  const devices = file.devices.filter(({ concentrator }) => concentrator !== 'C-b3')
  await expect(importRegistry(core.db, { ...file, devices })).rejects.toThrow(words)
})

/** Runs an import and returns its signals in order. */
async function recordSignals(work: () => Promise<void>): Promise<readonly string[]> {
  const received: string[] = []
  const stops = (['structure_changed', 'registry_changed'] as const).map((channel) =>
    core.signals.listen(channel, (payload) => received.push(payload?.startsWith('mark') ? payload : channel)),
  )
  // Signals arrive in the order of their transactions, so those of this import are between the two marks.
  await core.signals.send('structure_changed', 'mark before')
  await work()
  await core.signals.send('structure_changed', 'mark after')
  await expect.poll(() => received).toContain('mark after')
  for (const stop of stops) stop()
  return received.slice(received.indexOf('mark before') + 1, -1)
}

const moveArea = (file = createRegistry()) => ({
  ...file,
  nodes: file.nodes
    .map((node) => (node.key === 'a1' ? { ...node, parent: 's2' } : node))
    .toSorted((left, right) => left.level - right.level),
})

test.each([
  ['is in it twice', (devices: RegistryDevice[]) => devices.concat(devices.slice(0, 1)), 'twice'],
  [
    'is on no node of it',
    (devices: RegistryDevice[]) => devices.concat({ ...meter, node: 'x' }),
    'no node "x"',
  ],
  [
    'is refused by the database',
    (devices: RegistryDevice[]) => devices.concat({ ...meter, serial: 'M x' }),
    'check',
  ],
] as const)('nothing is stored or signalled of a file in which a device %s', async (_how, change, words) => {
  const before = await core.pathOf('a1')
  const file = moveArea()
  const signals = await recordSignals(() =>
    expect(importRegistry(core.db, { ...file, devices: change(file.devices) })).rejects.toThrow(words),
  )
  expect(signals).toEqual([])
  expect(await core.pathOf('a1')).toBe(before)
})

test('an import signals its tree and its devices together', async () => {
  expect(await recordSignals(() => importRegistry(core.db, moveArea()))).toEqual([
    'structure_changed',
    'registry_changed',
  ])
  await importRegistry(core.db, createRegistry())
})

test.each([
  ['an IMEI with a wrong check digit', { 'C-b2': { imei: '490154203237519' } }, 'IMEI'],
  ['an IMEI that is too short', { 'C-b2': { imei: '4901542032375' } }, 'IMEI'],
  ['a meter number with signs in it', { 'M-b2': { meterNo: '12-34' } }, 'meter number'],
  ['a meter number on a valve', { 'V-b2u1': { meterNo: '1234' } }, 'only a heat meter'],
])('the text of a file with %s is refused', (_what, changes, words) => {
  expect(() => parseRegistryFile(JSON.stringify(createNumbered(changes)))).toThrow(words)
})

const byWhole = () => createTestCall({ permissions: new Set(permissions) })
/** Devices of the file’s company. Another company has the same serials. */
async function find(serial: string) {
  const { id } = await core.db
    .selectFrom('device')
    .innerJoin('company', 'company.id', 'device.company_id')
    .select('device.id')
    .where('serial', '=', serial)
    .where('tenant', '=', 'demo')
    .executeTakeFirstOrThrow()
  return core.devices.service.getDevice(scopeOfEverything, id)
}

test('§7 replaceDev: an older registry file leaves the new concentrator its place, radio and devices', async () => {
  const file = createNumbered({ 'C-b2': { imei: IMEI } })
  await importRegistry(core.db, file)
  const { id, version } = await find('C-b2')
  await core.devices.changes.replace(byWhole(), { id, version, imei: 'C-b2-new', radioImei: IMEI })
  const before = await find('C-b2')
  await importRegistry(core.db, {
    ...file,
    devices: file.devices.map((device) => (device.serial === 'C-b2' ? { ...device, name: 'x' } : device)),
  })
  expect(await find('C-b2')).toEqual(before)
  expect((await find('C-b2-new')).radioImei).toBe(IMEI)
  expect([(await find('V-b2u1')).concentrator, (await find('M-b2')).concentrator]).toEqual([
    'C-b2-new',
    'C-b2-new',
  ])
})

test('a device in use that is not in the file keeps its number', async () => {
  const { id } = await find('C-b2-new')
  await importRegistry(core.db, createNumbered({ 'C-b3': { imei: IMEI } }))
  expect((await core.devices.service.getDevice(scopeOfEverything, id)).radioImei).toBe(IMEI)
  expect((await find('C-b3')).radioImei).not.toBe(IMEI)
})

test('a characteristic of the file is stored, what people stated stays, and only a valve has one', async () => {
  const stated = async () => {
    // Another company has a valve with this serial.
    const id = core.devices.directory.find('demo', 'V-b2u1')?.id ?? 0
    return (await core.devices.service.getDevice(scopeOfEverything, id)).characteristic
  }
  const linear = { kind: 'linear', kvsM3H: 16 } as const
  await importRegistry(core.db, createNumbered({ 'V-b2u1': { characteristic: linear } }))
  await expect.poll(stated).toEqual(linear)
  await importRegistry(core.db, createNumbered({}))
  await expect.poll(stated).toEqual(linear)
  const own = { kind: 'quick-opening', kvsM3H: 10 } as const
  await core.db
    .updateTable('device')
    .set({ characteristic: JSON.stringify(own) })
    .where('serial', '=', 'V-b2u1')
    .execute()
  await importRegistry(core.db, createNumbered({ 'V-b2u1': { characteristic: linear } }))
  await expect.poll(stated).toEqual(own)
  const wrong = createNumbered({ 'C-b2': { characteristic: linear } })
  expect(() => parseRegistryFile(JSON.stringify(wrong))).toThrow('only a valve has a characteristic')
})
