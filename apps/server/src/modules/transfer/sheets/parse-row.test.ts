import { expect, test } from 'vitest'
import { parseRow } from './parse-row.ts'

const device = { serial: 'V1', kind: 'valve' }
const levels = ['集团', '公司', '区域', '换热站', '小区', '1号楼', '1单元', '101']

test('the place of a device names at most the eight levels of the tree', () => {
  expect(parseRow('devices', { ...device, place: levels.join(',') })).toMatchObject({ place: levels })
  expect(parseRow('devices', { ...device, place: [...levels, '阳台'].join(',') })).toEqual({
    code: 'row.bad-value',
    params: { column: 'place' },
  })
})

test('a name that would break the line of a list is refused', () => {
  for (const column of ['name', 'model'])
    expect(parseRow('devices', { ...device, [column]: '入口\n阀' })).toEqual({
      code: 'row.bad-value',
      params: { column },
    })
  const irrigation = { place: '集团', source: '一号泵房', group: '南组' }
  for (const [sheet, column] of [
    ['irrigation-sources', 'source'],
    ['irrigation-groups', 'group'],
  ] as const)
    expect(parseRow(sheet, { ...irrigation, [column]: '北\n组' })).toEqual({
      code: 'row.bad-value',
      params: { column },
    })
})

test('an area that would make quantities per m² overflow is refused', () => {
  const fault = { code: 'row.not-a-number', params: { column: 'areaM2', least: 0.1, most: 10_000_000 } }
  expect(parseRow('structure', { project: '集团', areaM2: '1e-320' })).toEqual(fault)
})

test('the ends of a pipe name at most the eight levels of the tree', () => {
  const ends = { from: '集团,换热站', to: levels.join('，') }
  expect(parseRow('pipes', ends)).toMatchObject({ from: ['集团', '换热站'], to: levels })
  expect(parseRow('pipes', { ...ends, to: `${levels.join(',')},阳台` })).toEqual({
    code: 'row.bad-value',
    params: { column: 'to' },
  })
})
