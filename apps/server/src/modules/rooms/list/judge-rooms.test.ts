import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { expect, test } from 'vitest'
import type { ListedValue } from '../../telemetry/index.ts'
import { judgeRooms, orderByTemperature } from './judge-rooms.ts'

const toListed = (id: number, value: number, condition: ListedValue['condition'] = 'good'): ListedValue => ({
  device: {
    id,
    tenant: 'demo',
    serial: `R-${id}`,
    kind: 'room-sensor',
    path: `/1/d${id}/`,
    concentratorId: undefined,
    periodS: 60,
  },
  condition,
  value,
})

const listed = [
  toListed(1, 21),
  toListed(2, 17.9),
  toListed(3, 26),
  toListed(4, 5, 'bad'),
  toListed(5, 12, 'silent'),
  toListed(6, Number.NaN),
  toListed(7, -3),
]

test('only trusted values are cold, hot or in a band', async () => {
  const { counts } = await judgeRooms(listed, defaultRoomRules)
  expect(counts).toMatchObject({ rooms: 7, cold: 2, hot: 1, doubtful: 1, silent: 2 })
  // Below 14, 14 to 16, 16 to 18, 18 to 20, 20 to 22, 22 to 24, from 24.
  expect(counts.bands).toEqual([1, 0, 1, 0, 1, 0, 1])
  expect(counts.medianC).toBeCloseTo((17.9 + 21) / 2)
})

test('rooms are ordered by temperature in both directions, those without a trusted value last', async () => {
  const { rooms } = await judgeRooms(listed, defaultRoomRules)
  const idsOf = (isDescending: boolean) =>
    orderByTemperature(rooms, isDescending).map(({ device }) => device.id)
  expect(idsOf(false)).toEqual([7, 2, 1, 3, 4, 6, 5])
  expect(idsOf(true)).toEqual([3, 1, 2, 7, 4, 5, 6])
})

test('without rooms there is no mean and no order', async () => {
  const { rooms, counts } = await judgeRooms([], defaultRoomRules)
  expect(counts.meanC).toBeUndefined()
  expect(orderByTemperature(rooms, false)).toEqual([])
})
