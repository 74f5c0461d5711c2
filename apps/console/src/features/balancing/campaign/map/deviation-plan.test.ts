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

test('buildings lie as on the map: north up, east right, a metre as long both ways, all within the plan', () => {
  // 200 m east of the first, and 200 m north of it, at 60° north, where a degree east is half as long as one north.
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

test('a building whose valves are not measured has a place and no value', () => {
  const some = toMapValues(members.slice(0, 2), 'before', 'deviation')
  const spots = toDeviationPlan(members, some, [placeOf(1, 10, 60), placeOf(3, 10.01, 60)])
  expect(spots?.map(({ key, valueK }) => [key, valueK])).toEqual([
    [keyOf(1), -1],
    [keyOf(3), undefined],
  ])
})

test('with less than two buildings on the map, or not half of them, there is no plan', () => {
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

test('spots of a row do not overlap, however near they are, nor become too small or large to read', () => {
  const row = (apart: number) => [0, 1, 2, 3].map((index) => ({ x: apart * index, y: 0 }))
  expect(toRadius(row(20))).toBeCloseTo(9.6, 9)
  expect(toRadius(row(1))).toBe(4)
  expect(toRadius(row(100))).toBe(13)
})
