import { expect, test } from 'vitest'
import { sampleMember } from '../campaign-samples.testkit.ts'
import { PLAN_HEIGHT, PLAN_WIDTH, toDeviationPlan, toRadius } from './deviation-plan.ts'
import { toMapValues } from './member-map.ts'

const members = [
  sampleMember(1, { before: { openingPct: 40, returnC: 36 } }),
  sampleMember(2, { before: { openingPct: 40, returnC: 38 } }),
  sampleMember(3, { before: { openingPct: 40, returnC: 40 } }),
]
const keyOf = (id: number): string => `集团,公司,东区,一号站,阳光小区,${id}号楼`
const placeOf = (id: number, longitudeDeg: number, latitudeDeg: number) => ({
  nestaddr: keyOf(id),
  longitudeDeg,
  latitudeDeg,
})
const values = toMapValues(members, 'before', 'deviation')
const spotsOf = (...places: ReturnType<typeof placeOf>[]) => toDeviationPlan(members, values, places)

test('buildings are placed like on a map: north is up, both axes have the same scale, and all are inside the plan', () => {
  // 200 m east and 200 m north of the first building. At 60° north, a degree of longitude is half a degree of latitude.
  const degree = 200 / 111_320
  const spots =
    spotsOf(placeOf(1, 10, 60), placeOf(2, 10 + 2 * degree, 60), placeOf(3, 10, 60 + degree)) ?? []
  const [first, east, north] = spots
  if (!first || !east || !north) throw new Error('a building is missing')
  expect(spots.map(({ valueK }) => valueK)).toEqual([-2, 0, 2])
  expect(east.y).toBeCloseTo(first.y, 6)
  expect(north.x).toBeCloseTo(first.x, 6)
  expect(north.y).toBeLessThan(first.y)
  expect((east.x - first.x) / (first.y - north.y)).toBeCloseTo(1, 2)
  for (const { x, y } of spots) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(PLAN_WIDTH)
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(PLAN_HEIGHT)
  }
})

test('a building without measured valves has a position and no value', () => {
  const some = toMapValues(members.slice(0, 2), 'before', 'deviation')
  const spots = toDeviationPlan(members, some, [placeOf(1, 10, 60), placeOf(3, 10.01, 60)])
  expect(spots?.map(({ key, valueK }) => [key, valueK])).toEqual([
    [keyOf(1), -1],
    [keyOf(3), undefined],
  ])
})

test('there is no plan if fewer than two buildings, or less than half of them, have a position', () => {
  expect(spotsOf()).toBeUndefined()
  expect(spotsOf(placeOf(2, 10, 60))).toBeUndefined()
  const many = [...members, sampleMember(4), sampleMember(5)]
  const two = [placeOf(1, 10, 60), placeOf(2, 10.01, 60)]
  expect(toDeviationPlan(many, values, two)).toBeUndefined()
})

test('buildings at one position are drawn in the middle', () => {
  const spots = spotsOf(placeOf(1, 10, 60), placeOf(2, 10, 60))
  expect(spots?.map(({ x, y }) => [x, y])).toEqual([
    [PLAN_WIDTH / 2, PLAN_HEIGHT / 2],
    [PLAN_WIDTH / 2, PLAN_HEIGHT / 2],
  ])
})

test('spots in a row do not overlap, and their size has limits', () => {
  const row = (apart: number) => [0, 1, 2, 3].map((index) => ({ x: apart * index, y: 0 }))
  expect(toRadius(row(20))).toBeCloseTo(9.6, 9)
  expect(toRadius(row(1))).toBe(4)
  expect(toRadius(row(100))).toBe(13)
})
