import type { DeviceKind } from '@isotherm/contract/devices'
import { treeLevels } from '@isotherm/contract/tree'
import { expect, test } from 'vitest'
import type { ListedValue } from '../../telemetry/index.ts'
import { createSurroundings } from './surroundings.ts'

type Condition = ListedValue['condition']
type Values = Readonly<Record<string, number>>

/** Station 4 with building 6; households 81 to 85 in unit 7. */
const BUILDING = '/1/2/3/4/5/6/'
const toPath = (household: number) => `${BUILDING}7/${household}/`

const devices: { id: number; kind: DeviceKind; node: string; values: Values; condition?: Condition }[] = [
  { id: 11, kind: 'room-sensor', node: toPath(81), values: { 'temp.room': 16 } },
  { id: 12, kind: 'room-sensor', node: toPath(82), values: { 'temp.room': 20 } },
  { id: 13, kind: 'room-sensor', node: toPath(83), values: { 'temp.room': 20 } },
  { id: 14, kind: 'room-sensor', node: toPath(84), values: { 'temp.room': 22 } },
  { id: 15, kind: 'room-sensor', node: toPath(85), values: { 'temp.room': 5 }, condition: 'bad' },
  { id: 21, kind: 'valve', node: toPath(81), values: { 'temp.return': 30, 'valve.opening': 40 } },
  { id: 22, kind: 'valve', node: toPath(82), values: { 'temp.return': 36 } },
  { id: 23, kind: 'valve', node: `${BUILDING}7/`, values: { 'temp.return': 38 } },
]

function open() {
  const reads: string[] = []
  const readAround = createSurroundings(async ([path = ''], kind, metric) => {
    reads.push(`${path} ${kind} ${metric}`)
    return devices
      .filter((each) => each.kind === kind && each.node.startsWith(path))
      .map(({ id, node, values, condition = 'good' }) => ({
        device: {
          id,
          path: `${node}d${id}/`,
          tenant: 'demo',
          serial: `${id}`,
          kind,
          concentratorId: undefined,
          periodS: 900,
        },
        condition,
        value: values[metric] ?? Number.NaN,
      }))
  })
  const around = (id: number, household: number) =>
    readAround({ id, path: `${toPath(household)}d${id}/`, level: treeLevels.household })
  return { around, reads }
}

test('the neighbours of a room are the other trusted rooms of the building, with equal ones and without its own', async () => {
  const { around } = open()
  expect((await around(11, 81)).neighbours).toEqual({ medianC: 20, rooms: 3 })
  expect((await around(14, 84)).neighbours).toEqual({ medianC: 20, rooms: 3 })
  // A room that is not trusted is no neighbour, not even its own.
  expect((await around(15, 85)).neighbours).toEqual({ medianC: 20, rooms: 4 })
})

test('the water comes from the valve of the household, else from that of the unit, and is compared in the station', async () => {
  const { around } = open()
  expect(await around(11, 81)).toMatchObject({
    feed: { deviceId: 21, openingPct: 40, returnC: 30 },
    peers: { supplyC: undefined, returnC: 36 },
  })
  expect(await around(13, 83)).toMatchObject({ feed: { deviceId: 23, returnC: 38 } })
})

test('a part of the tree is read once for all rooms in it', async () => {
  const { around, reads } = open()
  for (const [id, household] of [
    [11, 81],
    [12, 82],
    [13, 83],
  ] as const)
    await around(id, household)
  expect(new Set(reads).size).toBe(reads.length)
})
