import { expect, test } from 'vitest'
import { sampleCampaign, sampleMember } from '../campaign-samples.testkit.ts'
import { findColdRooms, toRoomRows } from './room-rows.ts'

const inBuilding = (id: number, areaM2: number, beforeC: number, coldRooms: number) =>
  sampleMember(id, {
    areaM2,
    nestaddr: `集团,公司,东区,一号站,阳光小区,3号楼,${id}单元`,
    before: { openingPct: 40, roomC: beforeC, rooms: 4, coldRooms },
    expected: { openingPct: 50, roomC: beforeC + 1, roomLowC: beforeC + 0.5, rooms: 4, coldRooms: 0 },
  })

test('the room temperature of a building is the area-weighted mean of its units, and its cold rooms are summed', () => {
  const [row, ...others] = toRoomRows([inBuilding(1, 300, 18, 2), inBuilding(2, 100, 22, 1)])
  expect(others).toEqual([])
  expect(row).toMatchObject({
    beforeC: 19,
    expectedC: 20,
    lowC: 19.5,
    rooms: 8,
    coldBefore: 3,
    coldExpected: 0,
  })
  expect(row?.afterC).toBeUndefined()
})

test('estimated rooms of a building are not averaged with its measured ones', () => {
  const estimated = sampleMember(2, {
    areaM2: 300,
    nestaddr: '集团,公司,东区,一号站,阳光小区,3号楼,2单元',
    before: { openingPct: 40, roomC: 26, roomSource: 'estimated' },
    expected: { openingPct: 50, roomC: 27, roomLowC: 25, roomSource: 'estimated' },
  })
  const [mixed] = toRoomRows([inBuilding(1, 100, 18, 2), estimated])
  expect(mixed).toMatchObject({ source: 'measured', beforeC: 18, expectedC: 19, lowC: 18.5, rooms: 4 })
  const [unmeasured] = toRoomRows([estimated])
  expect(unmeasured).toMatchObject({ source: 'estimated', beforeC: 26, expectedC: 27, lowC: 25, rooms: 0 })
})

test('a building without known rooms has no row', () => {
  const bare = sampleMember(1, { before: { openingPct: 40 }, expected: { openingPct: 50 } })
  expect(toRoomRows([bare, sampleMember(2)]).map(({ key }) => key)).toEqual([
    '集团,公司,东区,一号站,阳光小区,2号楼',
  ])
})

test('only measured rooms count as cold, and the bound is a share of the predicted rooms', () => {
  const members = [inBuilding(1, 300, 18, 2), inBuilding(2, 100, 22, 1)]
  const { indices } = sampleCampaign()
  expect(findColdRooms({ members, indices })).toEqual({ rooms: 8, before: 3, expected: 0 })
  const worst = { ...indices, worst: { under18: 0.25 } }
  expect(findColdRooms({ members, indices: worst })).toMatchObject({ worst: 2 })
  expect(findColdRooms(sampleCampaign())).toBeUndefined()
})
