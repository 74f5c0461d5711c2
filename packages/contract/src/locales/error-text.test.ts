import { describe, expect, test } from 'vitest'
import { permissions } from '../access/permissions.ts'
import { commandPriorities } from '../command.ts'
import { deviceKind } from '../devices.ts'
import { type ErrorCode, type ErrorParams, errors } from '../errors.ts'
import { sensorPart } from '../irrigation.ts'
import { transferState } from '../transfer.ts'
import { treeLevels } from '../tree.ts'
import { errorNamesEn } from './error-names.en.ts'
import { errorNamesZh } from './error-names.zh.ts'
import { type Language, toErrorText } from './error-text.ts'
import { errorTextsEn } from './errors.en.ts'
import { errorTextsZh } from './errors.zh.ts'

const codes = Object.keys(errors) as ErrorCode[]
const languages: readonly Language[] = ['zh', 'en']

/** Names of the placeholders of a text; the words of a plural are none. */
const placeholdersOf = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].toSorted()

const entities = Object.keys(errorNamesZh.entities)
const fields = Object.keys(errorNamesZh.fields)

/** Every key that a parameter of an error can carry. */
const keys: Readonly<Partial<Record<ErrorCode, readonly ErrorParams[]>>> = {
  'entity.stale': [
    ...entities.map((what) => ({ what, by: '-', fields: '-' })),
    ...fields.map((field) => ({ what: 'device', by: '张三', fields: `${field}, someLaterColumn` })),
  ],
  'entity.taken': fields.map((field) => ({ field })),
  'entity.in-use': entities.flatMap((entity) => [{ entity }, { entity, count: 3 }, { entity, of: '1号楼' }]),
  'filter.unknown-field': fields.map((field) => ({ field })),
  'filter.bad-pattern': fields.map((field) => ({ field })),
  'device.bad-model': deviceKind.options.map((kind) => ({ model: '丙', kind })),
  'device.wrong-kind': deviceKind.options.map((kind) => ({ kind, field: 'meterNo' })),
  'device.bad-curve': Object.keys(errorNamesZh.curveFaults).map((fault) => ({ fault })),
  'node.bad-place': Object.values(treeLevels).map((level) => ({ detail: `甲 (${level})` })),
  'account.beyond-yours': [...permissions, 'seesAll', 'usrUserType 100'].map((what) => ({ what })),
  'transfer.not-now': transferState.options.map((state) => ({ state })),
  'command.held': commandPriorities.map((priority) => ({
    count: 1,
    devices: `甲 (${priority}, 张三, 明天)`,
  })),
  'irrigation.sensor-unsuited': sensorPart.options.map((part) => ({ device: '甲', part })),
  'balance.not-identified': Object.keys(errorNamesZh.worse).map((reason) => ({
    node: '一号站',
    reason,
    now: '0.56 K',
    expected: '0.61 K',
    help: [...Object.keys(errorNamesZh.records), 'areas 3/60'].join(', '),
  })),
}

/** Latin words that are words of the trade, not identifiers. */
const TRADE = /\b(?:IMEI|K|KB|kPa|URL|xlsx)\b/g

test.each(codes)('%s has the same placeholders in both languages', (code) => {
  expect(placeholdersOf(errorTextsEn[code])).toEqual(placeholdersOf(errorTextsZh[code]))
})

describe('a key among the parameters is shown by its name', () => {
  test.each(Object.entries(keys) as [ErrorCode, readonly ErrorParams[]][])('%s', (code, samples) => {
    for (const params of samples) {
      const zh = toErrorText('zh', code, params)
      expect(zh.replace(TRADE, '')).not.toMatch(/[A-Za-z{}]/)
      expect(toErrorText('en', code, params)).not.toMatch(
        /[a-z][A-Z]|\b[a-z]+_[a-z]+\b|\bp[a-z]-[a-z]+\b|[{}]/,
      )
    }
  })

  test('a key without a name is described in general', () => {
    const params = { what: 'some-new-thing', by: 'wang, li', fields: 'someNewField' }
    expect(toErrorText('zh', 'entity.stale', params)).toBe(
      '其他内容刚被 wang、li 修改（其他内容），请重新加载后再试',
    )
    expect(toErrorText('en', 'device.bad-model', { model: 'X1', kind: 'robot' })).toBe(
      'Model X1 does not fit a device',
    )
  })

  test('names of users, nodes and devices are shown as they are', () => {
    expect(toErrorText('zh', 'entity.in-use', { by: '维修, 客服' })).toContain('维修、客服')
    expect(toErrorText('en', 'account.beyond-yours', { what: 'North station' })).toContain('North station')
    expect(toErrorText('en', 'filter.unknown-field', { field: 'anything' })).toContain('"anything"')
    expect(toErrorText('en', 'node.bad-place', { detail: 'a (9) → b (3)' })).toContain('a (9) → b (area)')
  })
})

test.each(codes)('every placeholder of %s is filled from the parameters', (code) => {
  for (const language of languages) {
    const text = language === 'zh' ? errorTextsZh[code] : errorTextsEn[code]
    const params = Object.fromEntries(placeholdersOf(text).map((name) => [name ?? '', 7]))
    expect(toErrorText(language, code, params)).not.toMatch(/[{}|]/)
  }
})

test('a placeholder without a value stays visible', () => {
  expect(toErrorText('en', 'session.slowed', { retryAfterS: 30 })).toBe(
    'Too many attempts. Try again in 30 s',
  )
  expect(toErrorText('zh', 'session.slowed')).toContain('{retryAfterS}')
  expect(toErrorText('zh', 'entity.in-use')).toContain('{by}')
})

test('a refused plan states what it expects, and what would help', () => {
  const params = {
    node: 'North station',
    reason: 'cold-rooms',
    now: '12.0 %',
    expected: '14.5 %',
    help: 'areas 3/60, pressures',
  }
  expect(toErrorText('en', 'balance.not-identified', params)).toBe(
    'Not identified: too little is known about the loop of North station for this plan: it expects a share of rooms below 18 °C of 14.5 %, now 12.0 %. What would help: heated areas (missing for 3/60 valves), pressures behind the exchanger and at buildings',
  )
  expect(toErrorText('zh', 'balance.not-identified', params)).toContain(
    '供热面积（3/60 个阀门没有）、换热器后及各楼的压力',
  )
  const limited = { ...params, help: 'limits 4/60, snapshots' }
  expect(toErrorText('en', 'balance.not-identified', limited)).toContain(
    'wider limits of openings (they stop 4/60 valves), readings at other openings or another head',
  )
  expect(toErrorText('zh', 'balance.not-identified', limited)).toContain('放宽开度限值（4/60 个阀门受限）')
})

test('English words agree with their number', () => {
  const held = (count: number) => toErrorText('en', 'command.held', { count, devices: 'a' })
  expect(held(1)).toContain('1 valve is held with a higher priority. Release the hold first')
  expect(held(2)).toContain('2 valves are held with a higher priority. Release the holds first')
  expect(toErrorText('en', 'entity.in-use', { entity: 'device', count: 1 })).toContain('1 device')
  expect(toErrorText('en', 'entity.in-use', { entity: 'device', count: 2 })).toContain('2 devices')
})

test('both languages name the same keys', () => {
  for (const table of [
    'entities',
    'fields',
    'kinds',
    'states',
    'rights',
    'levels',
    'priorities',
    'worse',
    'records',
  ] as const) {
    expect(Object.keys(errorNamesEn[table])).toEqual(Object.keys(errorNamesZh[table]))
  }
})

test('names the part that a sensor cannot be', () => {
  const params = { device: 'F1', part: 'inlet' }
  expect(toErrorText('en', 'irrigation.sensor-unsuited', params)).toContain(
    'F1 cannot be the pressure sensor before the pump:',
  )
  expect(toErrorText('zh', 'irrigation.sensor-unsuited', params)).toContain('F1 不能作泵前压力传感器，')
})
