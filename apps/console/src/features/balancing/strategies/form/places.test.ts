import { describe, expect, test } from 'vitest'
import { areNested, listFree, listPlaces } from './places.ts'

const GARDEN = '0b0f6a52-1111-4222-8333-444455556666'
const COURT = '0b0f6a52-1111-4222-8333-444455557777'
const above = '集团,公司,东区,一号站'
const household = (uuid: string, area: string, building: string, unit: string, room: string) => ({
  node: `${uuid}-L3-${building}-${unit}-${room}`,
  nestaddr: `${above},${area},${building},${unit},${room}`,
})

describe('the places of valves', () => {
  const valves = [
    household(GARDEN, '阳光花园', '10号楼', '1单元', '301'),
    household(GARDEN, '阳光花园', '2号楼', '1单元', '301'),
    household(GARDEN, '阳光花园', '2号楼', '2单元', '101'),
    household(COURT, '书香苑', '1号楼', '1单元', '101'),
  ]

  test('are their areas and buildings, each once, in the order of their names', () => {
    expect(listPlaces(valves).map(({ node, name }) => [node, name])).toEqual([
      [COURT, '书香苑'],
      [`${COURT}-L1-1号楼`, '1号楼'],
      [GARDEN, '阳光花园'],
      [`${GARDEN}-L1-2号楼`, '2号楼'],
      [`${GARDEN}-L1-10号楼`, '10号楼'],
    ])
  })

  test('are units where there is one building only', () => {
    const one = valves.filter(({ nestaddr }) => nestaddr.includes('2号楼'))
    expect(listPlaces(one).map(({ node }) => node)).toEqual([
      GARDEN,
      `${GARDEN}-L1-2号楼`,
      `${GARDEN}-L2-2号楼-1单元`,
      `${GARDEN}-L2-2号楼-2单元`,
    ])
  })

  test('leave out what stands above areas, and know a valve of a whole building', () => {
    expect(listPlaces([{ node: '17', nestaddr: above }])).toEqual([])
    const inlet = { node: `${GARDEN}-L1-3号楼`, nestaddr: `${above},阳光花园,3号楼` }
    expect(listPlaces([inlet]).map(({ name }) => name)).toEqual(['阳光花园', '3号楼'])
  })

  test('of which no part is in a group are told', () => {
    const places = listPlaces(valves)
    const named = (taken: readonly string[]) => listFree(places, taken).map(({ node }) => node)
    expect(named([GARDEN])).toEqual([`${COURT}-L1-1号楼`])
    expect(named([`${GARDEN}-L2-2号楼-1单元`])).toEqual([`${COURT}-L1-1号楼`, `${GARDEN}-L1-10号楼`])
  })
})

test('nodes are nested along their address, not by how it begins', () => {
  expect(areNested(GARDEN, `${GARDEN}-L2-2号楼-1单元`)).toBe(true)
  expect(areNested(`${GARDEN}-L2-2号楼-1单元`, `${GARDEN}-L1-2号楼`)).toBe(true)
  expect(areNested(`${GARDEN}-L1-1`, `${GARDEN}-L2-10-1`)).toBe(false)
  expect(areNested(`${GARDEN}-L1-2号楼`, `${GARDEN}-L1-1号楼`)).toBe(false)
  expect(areNested(GARDEN, COURT)).toBe(false)
  expect(areNested('12', '12')).toBe(true)
  expect(areNested('12', '13')).toBe(false)
})
