import type { RegistryDevice, RegistryFile, RegistryNode } from '@isotherm/contract/network/registry-file'
import { isImei } from '@isotherm/kernel/imei'
import type { Firmware } from '../firmware.ts'
import { type ScenarioNames, scenarioNames } from '../names/scenario-names.ts'
import type { BuildingSpec, Scenario, StationSpec, TestUserSpec, UnitSpec } from '../scenario.ts'
import { applyRecordMistakes } from './mistaken-records.ts'
import { toRegistryIrrigation } from './registry-irrigation.ts'
import { toRegistryPipes } from './registry-pipes.ts'

/** A heating valve never shuts completely, because of frost and its sensors; an irrigation valve must. */
const HEATING_LIMITS = { minPct: 10, maxPct: 100 }
const IRRIGATION_LIMITS = { minPct: 0, maxPct: 100 }

const hasFloors = (station: StationSpec, { units }: BuildingSpec): boolean =>
  units.some((index) => station.units[index]?.emitters === 'floor')

function toStationNodes(station: StationSpec): RegistryNode[] {
  return station.buildings.flatMap((building): RegistryNode[] => [
    {
      key: building.key,
      parent: building.area,
      kind: 'sub-user',
      level: 6,
      name: building.name,
      ...(hasFloors(station, building) ? { emitter: 'floor' } : {}),
    },
    ...building.units.flatMap((index): RegistryNode[] => {
      const unit = station.units[index]
      if (unit === undefined) return []
      return [
        { key: unit.key, parent: building.key, kind: 'address', level: 7, name: unit.name },
        ...unit.households.map(
          (flat): RegistryNode => ({
            key: flat.key,
            parent: unit.key,
            kind: 'address',
            level: 8,
            name: flat.name,
            areaM2: flat.areaM2,
          }),
        ),
      ]
    }),
  ])
}

const toTestUser = ({ key, area, name }: TestUserSpec): RegistryNode => ({
  key,
  parent: area,
  kind: 'sub-user',
  level: 6,
  name,
  test: true,
})

/** The radio IMEI of a valve with its own link: its serial if that is an IMEI; a foreign registry may use other serials. */
const radioOf = ({ valveSerial }: UnitSpec) => (isImei(valveSerial) ? { imei: valveSerial } : {})

function toStationDevices(
  station: StationSpec,
  { periodS, ownLink }: Firmware,
  { devices: names }: ScenarioNames,
): RegistryDevice[] {
  const concentrator = station.concentratorSerial
  const child = (
    kind: 'valve' | 'heat-meter' | 'room-sensor' | 'station' | 'sensor',
    serial: string,
    node: string,
    name: string,
    model: string,
  ): RegistryDevice => ({ serial, kind, name, model, node, concentrator, periodS: periodS[kind] })
  return [
    {
      serial: concentrator,
      kind: 'concentrator',
      name: names.concentrator(station.name),
      model: 'HY-DC200',
      node: station.key,
      concentrator: null,
      imei: station.concentratorImei,
      periodS: periodS.concentrator,
    },
    child('station', station.stationSerial, station.key, names.controller(station.name), 'HY-SC100'),
    ...(station.watering?.sensors ?? []).flatMap((sensor): RegistryDevice[] => {
      const { serial } = sensor
      if (sensor.measures === 'flow')
        return [child('sensor', serial, station.key, names.flowMeter(station.name), 'HY-FM80')]
      if (sensor.measures === 'rain')
        return [child('sensor', serial, station.key, names.rainGauge(station.name), 'HY-RG02')]
      const group = station.buildings.find(({ units }) => units.includes(sensor.unit))
      return group === undefined
        ? []
        : [child('sensor', serial, group.key, names.soilProbe(group.name), 'HY-SP10')]
    }),
    ...station.buildings.flatMap(({ key, name, meter }) =>
      meter === undefined
        ? []
        : [
            {
              ...child('heat-meter', meter.serial, key, names.heatMeter(name), 'HY-UH80'),
              meterNo: meter.meterNo,
            },
          ],
    ),
    ...station.buildings.flatMap((building) =>
      building.units.flatMap((index): RegistryDevice[] => {
        const unit = station.units[index]
        if (unit === undefined) return []
        return [
          {
            ...child(
              'valve',
              unit.valveSerial,
              unit.key,
              station.heating === undefined
                ? names.waterValve(building.name, unit.name)
                : names.controlValve(building.name, unit.name),
              unit.valveModel,
            ),
            limits: station.heating === undefined ? IRRIGATION_LIMITS : HEATING_LIMITS,
            ...(unit.hasOwnLink ? { concentrator: null, periodS: ownLink.periodS, ...radioOf(unit) } : {}),
          },
          ...unit.households.flatMap((flat): RegistryDevice[] =>
            flat.roomSensor === undefined
              ? []
              : [child('room-sensor', flat.roomSensor, flat.key, names.roomSensor(flat.name), 'HY-RT10')],
          ),
        ]
      }),
    ),
  ]
}

/** The company's structure, devices and pipe archive for the server's import, including the mistakes of the records. */
export function toRegistryFile(scenario: Scenario): RegistryFile {
  const { testUser, grounds } = scenario
  const heated = new Set(scenario.stations.flatMap(({ key, heating }) => (heating ? [key] : [])))
  const irrigation = scenario.stations.flatMap(toRegistryIrrigation)
  const withPlace = (node: RegistryNode): RegistryNode => {
    const place = grounds.get(node.key)
    return place ? { ...node, place } : node
  }
  return applyRecordMistakes(scenario.faults, {
    v: 1,
    company: { tenant: scenario.tenant, name: scenario.companyName, timeZone: scenario.timeZone },
    nodes: [
      ...scenario.places.map(
        (place): RegistryNode => ({
          ...place,
          kind: place.level === 1 ? 'project' : 'group',
          // Households of a heat station have radiators unless stated otherwise.
          ...(heated.has(place.key) ? { emitter: 'radiator' } : {}),
        }),
      ),
      ...scenario.stations.flatMap(toStationNodes),
      ...(testUser === undefined ? [] : [toTestUser(testUser)]),
    ].map(withPlace),
    devices: scenario.stations.flatMap((station) =>
      toStationDevices(station, scenario.firmware, scenarioNames[scenario.language]),
    ),
    pipes: toRegistryPipes(scenario),
    ...(irrigation.length === 0 ? {} : { irrigation }),
  })
}
