import { fieldLine, gatewayConfig } from '@isotherm/contract/gateway-config'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { expect, test } from 'vitest'
import { configZh } from '../../locales/config.zh.ts'
import { completeDraft } from './complete-draft.ts'
import { describeFields, type FieldShape } from './describe-fields.ts'
import { type Draft, findMovedLine, listAt, merge, setAt } from './draft.ts'
import { findDraftFaults } from './find-draft-faults.ts'
import { addLine } from './new-line.ts'

const listNames = (fields: readonly FieldShape[]): readonly string[] =>
  fields.flatMap((field) => [
    field.name,
    ...(field.kind === 'object' ? listNames(field.fields) : []),
    ...(field.kind === 'variant' ? [field.by, ...[...field.options.values()].flatMap(listNames)] : []),
  ])

test('every field of every line has a name on the page, and every driver and platform', () => {
  const names = [...fieldLine.options, gatewayConfig].flatMap((schema) => listNames(describeFields(schema)))
  expect(names.filter((name) => !Object.hasOwn(configZh.field, name))).toEqual([])
  const drivers = fieldLine.options.map(({ shape }) => shape.driver.value)
  expect(Object.keys(configZh.driver)).toEqual(expect.arrayContaining(drivers))
})

test('the schema of a field determines its input: required, with a default, a secret, one of several objects', () => {
  const fields = fieldLine.options.flatMap((schema) => describeFields(schema))
  const find = (name: string) => fields.find((field) => field.name === name)
  expect(find('registration')).toMatchObject({ kind: 'text', isRequired: true })
  expect(find('idleS')).toMatchObject({ kind: 'number', isRequired: false, initial: 300 })
  expect(find('password')).toMatchObject({ kind: 'secret', isRequired: false })
  expect(find('devices')).toBeUndefined()
  const platform = find('platform')
  expect(platform?.kind === 'variant' && [...platform.options.keys()]).toEqual(['ctwing', 'onenet', 'iotda'])
})

const meter = { serial: 'M-1', address: '00001112345678', profile: 'heat-meter-cjt188' }
const toLine = (id: string, given: Draft = {}): Draft => ({
  driver: 'dtu-tcp',
  id,
  registration: `unit ${id}`,
  devices: [],
  ...given,
})
const toDraft = (...lines: readonly Draft[]): Draft => ({ v: 1, dtu: { port: 9_000 }, lines })
const find = (draft: Draft) => {
  const faults = findDraftFaults(draft, { stored: null, profiles: shippedProfiles })
  return Object.fromEntries([...faults].map(([path, { kind }]) => [path, kind]))
}

test('each fault is at its field, also those that only the server refused before', () => {
  expect(find(toDraft(toLine('L1', { devices: [meter] })))).toEqual({})
  const wrong = [
    toLine('L1', { registration: '', devices: [{ ...meter, address: '5' }] }),
    toLine('L2', {
      devices: [
        { ...meter, serial: 'M-2', profile: 'station-plc-modbus' },
        { ...meter, serial: 'M-3' },
        { ...meter, serial: 'M-4', address: '1112345678' },
        { serial: 'M-5', address: '5' },
      ],
    }),
    toLine('L3', { devices: [meter, { ...meter, serial: 'M-6', pollPeriodS: 0 }] }),
  ]
  expect(find(toDraft(...wrong))).toEqual({
    'lines.0.registration': 'required',
    'lines.1.devices.3.profile': 'required',
    'lines.2.devices.1.pollPeriodS': 'below',
  })
  const fixed = setAt(toDraft(...wrong), ['lines', 0, 'registration'], 'unit L2')
  const whole = setAt(setAt(fixed, ['lines', 2, 'devices'], [meter]), ['lines', 1, 'devices', 3], {
    ...meter,
    serial: 'M-1',
    address: '00000000000009',
  })
  expect(find(whole)).toEqual({
    'lines.1.registration': 'same-registration',
    'lines.1.devices.3.serial': 'same-serial',
    'lines.2.devices.0.serial': 'same-serial',
    'lines.0.devices.0.address': 'bad-address',
    'lines.1.devices.0.profile': 'wrong-driver',
    'lines.1.devices.2.address': 'bad-address',
  })
})

test('a hidden secret must be entered again when its server changes', () => {
  const line = {
    driver: 'dtu-mqtt',
    id: 'L1',
    url: 'mqtt://one.example',
    username: 'heat',
    password: 'SecretUnchanged0',
    upTopic: 'up',
    downTopic: 'down',
    devices: [],
  }
  const stored = gatewayConfig.parse({ v: 1, lines: [line] })
  const findFor = (url: string) =>
    [...findDraftFaults({ v: 1, lines: [{ ...line, url }] }, { stored, profiles: [] })].map(
      ([path, { kind }]) => [path, kind],
    )
  expect(findFor('mqtt://one.example')).toEqual([])
  expect(findFor('mqtt://other.example')).toEqual([['lines.0.password', 'no-secret']])
})

test('the entries of a person are merged with what others have saved: an adopted device stays', () => {
  const base = toDraft(toLine('L1'), toLine('L2'))
  const mine = toDraft(toLine('L1', { registration: 'other', devices: [meter] }), toLine('L3'))
  const theirs = toDraft(toLine('L1', { devices: [{ ...meter, serial: 'M-9' }] }), toLine('L2'), toLine('L4'))
  expect(merge(base, mine, theirs)).toEqual(
    toDraft(
      toLine('L1', { registration: 'other', devices: [{ ...meter, serial: 'M-9' }, meter] }),
      toLine('L4'),
      toLine('L3'),
    ),
  )
})

test('what others changed meanwhile stays where a person removed or renamed it', () => {
  const base = toDraft(toLine('L1', { devices: [meter] }), toLine('L2'))
  const theirs = toDraft(toLine('L1', { devices: [meter, { ...meter, serial: 'M-9' }] }), toLine('L2'))
  const merged = merge(base, toDraft(toLine('renamed', { devices: [meter] })), theirs)
  expect(listAt(merged, ['lines']).map(({ id, devices }) => [id, devices])).toEqual([
    ['L1', [meter, { ...meter, serial: 'M-9' }]],
    ['renamed', [meter]],
  ])
})

test('a merge loses no entry without a name, or with a name that another user also gave', () => {
  const base = toDraft(toLine('L1'))
  const added = [{ serial: '', address: '1' }, { serial: '', address: '2' }, meter]
  const mine = toDraft(toLine('L1', { devices: added }), toLine('line-2', { registration: 'mine' }))
  const theirs = toDraft(toLine('L1'), toLine('line-2', { registration: 'theirs' }))
  expect(merge(base, mine, setAt(theirs, ['lines', 0, 'registration'], 'new'))).toEqual(
    toDraft(
      toLine('L1', { registration: 'new', devices: added }),
      toLine('line-2', { registration: 'theirs' }),
      toLine('line-2', { registration: 'mine' }),
    ),
  )
})

test('a line is found again by its id where a merge has moved it', () => {
  const merged = toDraft(toLine('L1'), toLine('L4'), toLine('L3'), toLine('twice'), toLine('twice'))
  const draft = toDraft(toLine('L1'), toLine('L3'), toLine('gone'), toLine('twice'))
  expect([0, 1, 2, 3].map((at) => findMovedLine(draft, at, merged))).toEqual([0, 2, undefined, undefined])
})

test('the id of a line for a unit is its registration with the characters that an id may have, else a free one', () => {
  const listIds = (registration: string) =>
    listAt(addLine(toDraft(toLine('unit-1')), 'dtu-tcp', { registration }), ['lines']).map(({ id }) => id)
  expect(listIds('IMEI:86 77')).toEqual(['unit-1', 'IMEI-86-77'])
  expect(listIds('unit:1')).toEqual(['unit-1', 'line-2'])
})

test('an emptied field of an object with a default has the value of the default', () => {
  const line = { driver: 'northbound-http', id: 'L1', frames: { down: '3200_0_5750' } }
  expect(completeDraft(toDraft(line))).toEqual(
    toDraft({ ...line, frames: { up: 'APPdata', encoding: 'base64', down: '3200_0_5750' } }),
  )
  expect(find(toDraft(line))).not.toHaveProperty(['lines.0.frames.up'])
})
