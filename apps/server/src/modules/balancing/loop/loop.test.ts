import { expect, it } from 'vitest'
import type { LoopValve } from './loop.pg.ts'
import { toLoop } from './loop.ts'

const STATION = '/1/2/3/'
const levels = { '/1/2/3/': 4, '/1/2/3/4/': 5, '/1/2/3/4/5/': 6, '/1/2/3/4/5/6/': 7, '/1/2/3/4/5/6/7/': 8 }

const toValve = (deviceId: number, path: string, level: number): LoopValve => ({
  deviceId,
  deviceName: `V${deviceId}`,
  model: 'DN32 Kvs16',
  node: '1',
  nestaddr: '',
  path,
  level,
  periodS: 60,
  minPct: null,
  maxPct: null,
  maxStepPct: null,
  areaM2: null,
})
const toSensor = (deviceId: number, path: string) => ({ deviceId, path, periodS: 60 })
const station = toSensor(100, STATION)

it('has the valves below its station that are behind no other valve and no other station', () => {
  const valves = Object.entries(levels).map(([path, level], index) => toValve(index, path, level))
  const other = toValve(9, '/1/2/3/8/9/', 6)
  const loop = toLoop(STATION, {
    stations: [station, toSensor(101, '/1/2/3/8/')],
    valves: [...valves, other],
    pipes: [],
    emitters: [],
    rooms: [toSensor(50, '/1/2/3/4/5/6/7/'), toSensor(51, '/1/2/3/8/9/')],
  })
  expect(loop?.station.deviceId).toBe(100)
  expect(loop?.consumers.map(({ deviceId }) => deviceId)).toEqual([1])
  expect(loop?.consumers[0]?.rooms.map(({ deviceId }) => deviceId)).toEqual([50])
})

it('does not exist without its station', () => {
  expect(
    toLoop(STATION, {
      stations: [toSensor(101, '/1/2/3/8/')],
      valves: [],
      rooms: [],
      pipes: [],
      emitters: [],
    }),
  ).toBeUndefined()
})

it('is ordered by areas and buildings, whatever the order of its valves', () => {
  const valves = [
    toValve(1, '/1/2/3/4/5/6/', 7),
    toValve(2, '/1/2/3/14/15/16/', 7),
    toValve(3, '/1/2/3/4/5/7/', 7),
    toValve(4, '/1/2/3/4/8/', 6),
    // A building without an area above it.
    toValve(5, '/1/2/3/9/', 6),
  ]
  const loop = toLoop(STATION, { stations: [station], valves, rooms: [], pipes: [], emitters: [] })
  const laid = loop?.areas.map((buildings) => buildings.map((units) => units.map(({ deviceId }) => deviceId)))
  expect(laid).toEqual([[[1, 3], [4]], [[2]], [[5]]])
  expect(loop?.consumers.map(({ deviceId }) => deviceId)).toEqual([1, 3, 4, 2, 5])
})
