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

test('the ends of a pipe name at most the eight levels of the tree', () => {
  const ends = { from: '集团,换热站', to: levels.join('，') }
  expect(parseRow('pipes', ends)).toMatchObject({ from: ['集团', '换热站'], to: levels })
  expect(parseRow('pipes', { ...ends, to: `${levels.join(',')},阳台` })).toEqual({
    code: 'row.bad-value',
    params: { column: 'to' },
  })
})
