import { expect, test } from 'vitest'
import { defaultRoomRules, findRoomBand, listRoomBands, roomRules } from './room-bands.ts'

test('bands meet at the edges without gap or overlap, and the outermost are open', () => {
  expect(listRoomBands([16, 18])).toEqual([{ toC: 16 }, { fromC: 16, toC: 18 }, { fromC: 18 }])
})

test('a temperature at an edge belongs to the warmer band: 18 °C is not below 18 °C', () => {
  expect([15.9, 16, 17.9, 18, 30].map((roomC) => findRoomBand(roomC, [16, 18]))).toEqual([0, 1, 1, 2, 2])
})

test('edges that do not ascend are refused', () => {
  expect(roomRules.safeParse(defaultRoomRules).success).toBe(true)
  expect(roomRules.safeParse({ ...defaultRoomRules, edgesC: [18, 16] }).success).toBe(false)
  expect(roomRules.safeParse({ ...defaultRoomRules, edgesC: [18, 18] }).success).toBe(false)
})
