import { expect, test } from 'vitest'
import { loadScenario } from '../runtime/scenario-file.ts'
import { toTownGround } from './town-ground.ts'

function load(language: 'zh' | 'en') {
  const outcome = loadScenario('demo', language)
  if (outcome.kind !== 'scenario') throw new Error(outcome.problems.join('; '))
  return outcome.scenario
}

const scenario = load('zh')
const town = toTownGround(scenario)
const ringOf = (feature: (typeof town.features)[number]) =>
  feature.geometry.type === 'Polygon' ? (feature.geometry.coordinates[0] ?? []) : []
const houses = town.features.filter(({ properties }) => properties.building)

/** Whether a position is in the bounding box of a ring. */
function isInBox(
  ring: readonly (readonly [number, number])[],
  [east, north]: readonly [number, number],
): boolean {
  const [easts, norths] = [ring.map(([at]) => at), ring.map(([, at]) => at)]
  return (
    Math.min(...easts) < east &&
    east < Math.max(...easts) &&
    Math.min(...norths) < north &&
    north < Math.max(...norths)
  )
}

test('every building that the twin heats stands in an outline of its own', () => {
  const positions = scenario.stations
    .filter(({ heating }) => heating)
    .flatMap(({ buildings }) => buildings)
    .map(({ key }) => scenario.grounds.get(key))
  expect(houses).toHaveLength(positions.length)
  for (const position of positions) {
    const at = [position?.longitudeDeg ?? 0, position?.latitudeDeg ?? 0] as const
    expect(houses.filter((house) => isInBox(ringOf(house), at))).toHaveLength(1)
  }
})

test('no street runs through a building, and no building stands in the water', () => {
  const streets = town.features.filter(
    ({ properties }) => properties.highway && properties.highway !== 'footway',
  )
  expect(streets.length).toBeGreaterThan(5)
  for (const { geometry } of streets) {
    if (geometry.type !== 'LineString') continue
    const points = geometry.coordinates.slice(1).flatMap(([east, north], index) => {
      const [fromEast, fromNorth] = geometry.coordinates[index] ?? [east, north]
      return Array.from({ length: 201 }, (_, step) => {
        const share = step / 200
        return [fromEast + share * (east - fromEast), fromNorth + share * (north - fromNorth)] as const
      })
    })
    for (const house of houses) expect(points.some((point) => isInBox(ringOf(house), point))).toBe(false)
  }
  const water = town.features.filter(({ properties }) => properties.natural === 'water')
  for (const house of houses)
    for (const corner of ringOf(house))
      expect(water.some((each) => isInBox(ringOf(each), corner))).toBe(false)
})

test('the same places make the same town, with names in the language of the demo', () => {
  expect(toTownGround(load('zh'))).toEqual(town)
  const names = (language: 'zh' | 'en') =>
    toTownGround(load(language)).features.flatMap(({ properties }) => properties.name ?? [])
  expect(names('zh')).toContain('清河')
  expect(names('en').join(' ')).toMatch(/^[\x20-\x7e’]+$/)
})

test('a company without positions has no town', () => {
  expect(toTownGround({ ...scenario, grounds: new Map() }).features).toEqual([])
})
