import { describe, expect, test } from 'vitest'
import { areNested, listAreas, listFree, listPlaces } from './places.ts'

const TEN = '0b0f6a52-1111-4222-8333-444455550010'
const TWO = '0b0f6a52-1111-4222-8333-444455550002'
const COURT = '0b0f6a52-1111-4222-8333-444455557777'
const above = '集团,公司,东区,一号站'
const unit = (uuid: string, area: string, building: string, name: string) => ({
  node: `${uuid}-L1-${name}`,
  nestaddr: `${above},${area},${building},${name}`,
})

describe('the places of valves', () => {
  const valves = [
    unit(TEN, '阳光花园', '10号楼', '1单元'),
    unit(TWO, '阳光花园', '2号楼', '1单元'),
    unit(TWO, '阳光花园', '2号楼', '2单元'),
    {
      node: `${COURT}-L2-1单元-101`,
      nestaddr: `${above},书香苑,1号楼,1单元,101`,
    },
  ]

  test('are their buildings, each once, in the order of areas and names', () => {
    const places = listPlaces(valves)
    expect(places.map(({ node, name }) => [node, name])).toEqual([
      [COURT, '1号楼'],
      [TWO, '2号楼'],
      [TEN, '10号楼'],
    ])
    expect(listAreas(places).map(([area, of]) => [area, of.length])).toEqual([
      ['书香苑', 1],
      ['阳光花园', 2],
    ])
  })

  test('are units if there is only one building', () => {
    const one = valves.filter(({ nestaddr }) => nestaddr.includes('2号楼'))
    expect(listPlaces(one).map(({ node }) => node)).toEqual([TWO, `${TWO}-L1-1单元`, `${TWO}-L1-2单元`])
  })

  test('skip places above buildings, and accept a valve of a whole building', () => {
    expect(listPlaces([{ node: '17', nestaddr: above }])).toEqual([])
    const inlet = { node: TEN, nestaddr: `${above},阳光花园,10号楼` }
    expect(listPlaces([inlet])).toEqual([{ node: TEN, level: 'building', name: '10号楼', area: '阳光花园' }])
  })

  test('are listed if no part is in a group', () => {
    const places = listPlaces(valves)
    expect(listFree(places, [TEN]).map(({ node }) => node)).toEqual([COURT, TWO])
    expect(listFree(places, [`${TWO}-L1-1单元`]).map(({ node }) => node)).toEqual([COURT, TEN])
  })
})

test('nesting compares whole address parts, not text prefixes', () => {
  expect(areNested(TWO, `${TWO}-L2-1单元-301`)).toBe(true)
  expect(areNested(`${TWO}-L2-1单元-301`, `${TWO}-L1-1单元`)).toBe(true)
  expect(areNested(`${TWO}-L1-1`, `${TWO}-L2-10-1`)).toBe(false)
  expect(areNested(`${TWO}-L1-2单元`, `${TWO}-L1-1单元`)).toBe(false)
  expect(areNested(TWO, COURT)).toBe(false)
  expect(areNested('12', '12')).toBe(true)
  expect(areNested('12', '13')).toBe(false)
})
