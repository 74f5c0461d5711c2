import { demoNames } from './demo-names.ts'
import { drawStation } from './demo-station.ts'
import type { PlaceSpec, Scenario, StationSpec } from './scenario.ts'

export const DEMO_SEED = 20_261_121

/**
 * The demo company: one group, one company, two districts, four heat stations, 48 buildings, 144 unit valves and
 * 1,728 flats, and one sub-user for testing. Everything follows from the seed.
 */
export function createDemoCompany(seed: number = DEMO_SEED): Scenario {
  const places: PlaceSpec[] = [
    { key: 'project', parent: null, level: 1, name: demoNames.group },
    { key: 'company', parent: 'project', level: 2, name: demoNames.company },
  ]
  const stations: StationSpec[] = []
  let firstBuilding = 1
  for (const [districtIndex, district] of demoNames.districts.entries()) {
    const districtKey = `district${districtIndex + 1}`
    places.push({ key: districtKey, parent: 'company', level: 3, name: district.name })
    for (const names of district.stations) {
      const number = stations.length + 1
      const station = drawStation(seed, number, names, firstBuilding)
      places.push({
        key: station.key,
        parent: districtKey,
        level: 4,
        name: names.name,
        description: `供 ${names.areas.map((area) => area.name).join('、')}，${station.buildings.length} 栋`,
        ...('stype' in names ? { stype: names.stype } : {}),
      })
      for (const [areaIndex, area] of names.areas.entries()) {
        places.push({
          key: `${station.key}a${areaIndex + 1}`,
          parent: station.key,
          level: 5,
          name: area.name,
        })
      }
      firstBuilding += station.buildings.length
      stations.push(station)
    }
  }
  return {
    seed,
    tenant: demoNames.tenant,
    companyName: demoNames.group,
    timeZone: demoNames.timeZone,
    places,
    testUser: { key: 'test-user', area: 's1a1', name: demoNames.testUser },
    stations,
  }
}
