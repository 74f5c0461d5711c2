import type { Language } from '@isotherm/contract/locales/error-text'
import { demoFaults } from './demo-faults.ts'
import { demoFirmware, fieldFirmware } from './firmware.ts'
import type { CompanySize } from './layouts/generated-layout.ts'
import { scenarioNames } from './names/scenario-names.ts'
import type { Recipe } from './recipe.ts'

const { towns } = scenarioNames.zh
const DEMO_SEED = 20_261_121
const DAY_S = 86_400
const HOUR_S = 3600

/** A block of 1,008 flats behind each station. */
const block = { buildings: 28, units: 3, floors: 6, flatsPerFloor: 2, sensorEvery: 6, meters: true } as const
const small = { ...block, stations: 2, buildings: 12 } as const
const healthy = { stuck: 0, deadSensors: 0, wrongAreas: 0 } as const
const winter: Recipe['weather'] = { kind: 'winter', snaps: [] }

const made = (size: CompanySize, companyName: string): Recipe['company'] => ({
  kind: 'made',
  tenant: 'heyuan',
  companyName,
  ...size,
})

const demo: Recipe = {
  v: 1,
  name: 'demo',
  language: 'zh',
  seed: DEMO_SEED,
  company: { kind: 'demo' },
  floorShare: 0,
  flowInValves: true,
  ringMains: false,
  ownLinkShare: 0,
  weather: winter,
  firmware: demoFirmware,
  faulty: healthy,
  faults: [...demoFaults],
}

const small864: Recipe = { ...demo, company: made(small, towns.village), faults: [] }

/** The concentrator of the first station of a generated company. */
const FIRST_CONCENTRATOR = '864001000000001'

/** The named scenarios. All except the demo are generated companies. */
export const namedRecipes = {
  /** 1,728 flats behind four stations, three faulty devices; the default scenario. */
  demo,
  /** 10,080 flats behind ten stations, in a generated year from November; concentrators publish their meters' frames. */
  town: {
    ...demo,
    name: 'town',
    company: made({ ...block, stations: 10 }, towns.town),
    weather: { kind: 'year', startDay: 318, snaps: [] },
    firmware: { ...fieldFirmware, busTrace: true },
    faults: [],
  },
  /** 100,800 flats behind a hundred stations. */
  city: {
    ...demo,
    name: 'city',
    company: made({ ...block, stations: 100 }, towns.city),
    weather: { kind: 'year', startDay: 318, snaps: [] },
    firmware: fieldFirmware,
    faults: [],
  },
  /** Half of the buildings have floor heating: slow, with more flow and a smaller drop. */
  'floor-mix': { ...small864, name: 'floor-mix', floorShare: 0.5 },
  /** 3 % stuck valves, 3 % dead sensors, 2 % wrong areas. */
  faulty: {
    ...small864,
    name: 'faulty',
    company: made({ ...block, stations: 4 }, towns.village),
    faulty: { stuck: 0.03, deadSensors: 0.03, wrongAreas: 0.02 },
  },
  /** No heat meters, and valves that measure only temperatures. */
  'no-meters': {
    ...small864,
    name: 'no-meters',
    company: made({ ...small, meters: false }, towns.village),
    flowInValves: false,
  },
  /** Each station's street is a ring: water reaches every building from two sides. */
  'ring-main': { ...small864, name: 'ring-main', ringMains: true },
  /** Every third valve has its own link, reports every ten minutes and sleeps in between. */
  'nb-iot': { ...small864, name: 'nb-iot', ownLinkShare: 1 / 3 },
  /** 12 K colder for four days from the fourth day; stations lack primary heat. */
  'cold-snap': {
    ...small864,
    name: 'cold-snap',
    weather: { kind: 'winter', snaps: [{ fromS: 3 * DAY_S, untilS: 7 * DAY_S, dropK: 12 }] },
  },
  /** The first station's concentrator loses its radio three hours after the start, for six hours. */
  'concentrator-outage': {
    ...small864,
    name: 'concentrator-outage',
    faults: [{ kind: 'offline', target: FIRST_CONCENTRATOR, fromS: 59 * HOUR_S, untilS: 65 * HOUR_S }],
  },
  /** A park from May on: pump houses with groups for rotation irrigation; all valves are shut at the start. */
  irrigation: {
    ...demo,
    name: 'irrigation',
    company: {
      kind: 'irrigation',
      tenant: 'heyuan',
      companyName: towns.park,
      pumpHouses: 2,
      areas: 2,
      groups: 3,
      valves: 4,
    },
    weather: { kind: 'year', startDay: 121, snaps: [] },
    faults: [],
  },
} satisfies Record<string, Recipe>

export type ScenarioName = keyof typeof namedRecipes

export const isScenarioName = (name: string): name is ScenarioName => Object.hasOwn(namedRecipes, name)

/** A named scenario with its names in a language. */
export function toNamedRecipe(name: ScenarioName, language: Language): Recipe {
  const named: Recipe = namedRecipes[name]
  const { company } = named
  if (!('companyName' in company)) return { ...named, language }
  const town = (Object.keys(towns) as (keyof typeof towns)[]).find(
    (key) => towns[key] === company.companyName,
  )
  const companyName = town === undefined ? company.companyName : scenarioNames[language].towns[town]
  return { ...named, language, company: { ...company, companyName } }
}
