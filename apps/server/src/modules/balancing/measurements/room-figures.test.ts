import { expect, test } from 'vitest'
import { countRooms, roomsAfter } from './room-figures.ts'

const point = (...roomC: number[]) => ({
  roomC: Float64Array.from(roomC),
  returnC: new Float64Array(0),
  flowKgS: new Float64Array(0),
  headPa: 0,
})
const rooms = [
  { consumer: 0, roomC: 17.5 },
  { consumer: 0, roomC: 20 },
  { consumer: 1, roomC: 18.2 },
  { consumer: 2, roomC: 19 },
]
const step = { before: point(19, 20, Number.NaN), expected: point(19.8, 19.5, Number.NaN) }

test('each room changes like the mean behind its valve; without that there is no prediction', () => {
  const after = roomsAfter(rooms, step)
  expect(after.map(({ consumer }) => consumer)).toEqual([0, 0, 1])
  expect(after[0]?.roomC).toBeCloseTo(18.3, 9)
  expect(after[1]?.roomC).toBeCloseTo(20.8, 9)
  expect(after[2]?.roomC).toBeCloseTo(17.7, 9)
})

test('rooms below 18 °C are counted behind each valve, before and after', () => {
  const count = countRooms(rooms)
  expect(count(0)).toEqual({ rooms: 2, coldRooms: 1 })
  expect(count(3)).toEqual({})
  const after = roomsAfter(rooms, step)
  expect([0, 1, 2].map(countRooms(after))).toEqual([
    { rooms: 2, coldRooms: 0 },
    { rooms: 1, coldRooms: 1 },
    {},
  ])
})
