import { expect, it } from 'vitest'
import { createField } from '../field/field.ts'
import { toRegistryFile } from '../scenarios/registry/registry.ts'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { createPlant, type Plant, stepPlant } from './plant.ts'

const roomsOf = ({ stations }: Plant): number[] =>
  stations.flatMap(({ households }) => Array.from(households.airC))

it('runs at a time factor of 3,600 in ticks of half an hour, with the results of one-minute ticks', () => {
  const scenario = createSmall({ floorShare: 0.5 })
  const [coarse, fine] = [createPlant(scenario, 'cold'), createPlant(scenario, 'cold')]
  for (let tick = 0; tick < 96; tick++) {
    stepPlant(coarse, 1800)
    for (let minute = 0; minute < 30; minute++) stepPlant(fine, 60)
  }
  const [quick, slow] = [roomsOf(coarse), roomsOf(fine)]
  const apart = quick.map((room, index) => Math.abs(room - (slow[index] ?? Number.NaN)))
  expect(Math.max(...apart)).toBeLessThan(0.15)
})

it.each([1, 1000])('creates and runs a company of %i stations', (stations) => {
  const scenario = createSmall({
    company: {
      kind: 'made',
      tenant: 'heyuan',
      companyName: '和源',
      stations,
      buildings: 1,
      units: 1,
      floors: 2,
      flatsPerFloor: 1,
      sensorEvery: 2,
      meters: true,
    },
  })
  const field = createField(scenario, { boot: 1, nowMs: 1000, pace: { minMoveS: 1 }, warmUp: 'cold' })
  for (let tick = 1; tick <= 3; tick++) {
    expect(field.step(1000 + tick * 40_000, 300)).toHaveLength(stations)
  }
  const rooms = roomsOf(field.plant)
  expect(rooms).toHaveLength(2 * stations)
  expect(rooms.every((room) => room > 15 && room < 26)).toBe(true)
  const { nodes, devices } = toRegistryFile(scenario)
  expect(new Set(devices.map(({ serial }) => serial)).size).toBe(5 * stations)
  expect(new Set(nodes.map(({ key }) => key)).size).toBe(nodes.length)
})
