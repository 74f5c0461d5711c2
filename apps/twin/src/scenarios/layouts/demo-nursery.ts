import type { ScenarioNames } from '../names/scenario-names.ts'
import type { FieldSensorSpec, PlaceSpec, WateringProgram } from '../scenario.ts'
import { layOutGroup, pumpHouseSerials } from './irrigation-layout.ts'
import type { AreaLayout, StationLayout } from './layout.ts'

const VALVES_PER_GROUP = 2
/** A heated greenhouse in winter. */
const UNDER_GLASS_C = 20

const atHours = (hours: readonly number[], minute: number): number[] =>
  hours.map((hour) => 60 * hour + minute)

/** The soil probe of its own is in the ground of the first group of pots: at the first valve of the fourth group. */
const PROBED_UNIT = 3 * VALVES_PER_GROUP

/** Sensors of the pump house: a flow meter, a rain gauge outdoors, and a soil probe. */
const SENSORS: readonly FieldSensorSpec[] = [
  { serial: '66600000000001', measures: 'flow' },
  { serial: '66600000000002', measures: 'rain' },
  { serial: '66600000000003', measures: 'soil', unit: PROBED_UNIT },
]

/** Hours of the programs: cuttings are misted day and night, potted plants are watered by day, in two parts. */
const PLANS: readonly Pick<WateringProgram, 'startMinutes' | 'runS' | 'cycle'>[] = [
  {
    startMinutes: atHours(
      Array.from({ length: 12 }, (_, index) => 2 * index),
      10,
    ),
    runS: 300,
  },
  { startMinutes: atHours([7, 10, 13, 16], 30), runS: 600, cycle: { maxS: 300, soakS: 300 } },
]

/** The greenhouse of the demo company: a pump house beside the heat stations, which is watered in winter too. */
export function layOutNursery(
  scenarioNames: ScenarioNames,
  parent: string,
  concentratorImei: string,
): { readonly places: PlaceSpec[]; readonly pumpHouse: StationLayout } {
  const { nursery: names } = scenarioNames.demo
  let number = 1
  const areas = names.areas.map(
    ({ groups }, index): AreaLayout => ({
      key: `p1a${index + 1}`,
      buildings: groups.map((name) => layOutGroup(number++, name, VALVES_PER_GROUP, scenarioNames)),
    }),
  )
  const programs = areas.flatMap(({ buildings }, index): WateringProgram[] => {
    const [name, plan] = [names.areas[index]?.program, PLANS[index]]
    const groups = buildings.map(({ key }) => key)
    return name === undefined || plan === undefined ? [] : [{ name, groups, ...plan }]
  })
  return {
    places: [
      { key: 'nursery', parent, level: 3, name: names.name },
      { key: 'p1', parent: 'nursery', level: 4, name: names.pumpHouse },
      ...areas.map(({ key }, index): PlaceSpec => {
        return { key, parent: 'p1', level: 5, name: names.areas[index]?.name ?? key }
      }),
    ],
    pumpHouse: {
      key: 'p1',
      name: names.pumpHouse,
      ...pumpHouseSerials(1),
      concentratorImei,
      areas,
      watering: { underGlassC: UNDER_GLASS_C, programs, sensors: SENSORS },
    },
  }
}
