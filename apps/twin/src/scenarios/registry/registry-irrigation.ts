import type { RegistryIrrigation } from '@isotherm/contract/network/registry-irrigation'
import { toM3H } from '@isotherm/hydraulics/elements/water'
import type { StationSpec, WateringProgram, WateringSpec } from '../scenario.ts'

/** Longest time of a valve at a stretch, s. */
const MAX_OPEN_S = 1_800
const EVERY_DAY = { kind: 'weekdays', days: [0, 1, 2, 3, 4, 5, 6] } as const

const toValve = (station: StationSpec, index: number) => {
  const unit = station.units[index]
  if (unit === undefined) throw new Error(`${station.name} has no valve ${index}`)
  // Name plates have flows in tenths of a cubic metre per hour.
  return { serial: unit.valveSerial, flowM3H: Number(toM3H(unit.designFlow).toFixed(1)), maxS: MAX_OPEN_S }
}

const toProgram = ({ name, startMinutes, groups, runS, cycle }: WateringProgram) => ({
  name,
  enabled: true,
  plan: {
    days: { ...EVERY_DAY, days: [...EVERY_DAY.days] },
    starts: startMinutes.map((minute) => ({ kind: 'time' as const, minute })),
    entries: groups.map((group) => ({ group, runS })),
    ...(cycle === undefined ? {} : { cycle: { ...cycle } }),
    seasonalPct: 100,
    together: false,
  },
})

const serialOf = ({ sensors = [] }: WateringSpec, measures: 'flow' | 'rain'): string | undefined =>
  sensors.find((sensor) => sensor.measures === measures)?.serial

const given = (name: 'meter' | 'rain', serial: string | undefined) =>
  serial === undefined ? {} : { [name]: serial }

/** The soil probes of its own that a group has. */
function toProbes({ sensors = [] }: WateringSpec, units: readonly number[]) {
  const probes = sensors.flatMap((sensor) =>
    sensor.measures === 'soil' && units.includes(sensor.unit) ? [sensor.serial] : [],
  )
  return probes.length === 0 ? {} : { probes }
}

/** Source, groups and programs of a pump house that has programs; its pump waters one group at a time. */
export function toRegistryIrrigation(station: StationSpec): RegistryIrrigation[] {
  const { watering, buildings, key, name, stationSerial } = station
  if (watering === undefined || watering.programs.length === 0) return []
  const groups = buildings.map((group) => ({
    key: group.key,
    name: group.name,
    mode: 'parallel' as const,
    valves: group.units.map((index) => toValve(station, index)),
    ...toProbes(watering, group.units),
  }))
  const flows = groups.map(({ valves }) => valves.reduce((sum, { flowM3H }) => sum + flowM3H, 0))
  return [
    {
      node: key,
      settings: {
        name,
        capacityM3H: Math.ceil(Math.max(...flows)),
        leadS: 0,
        groupDelayS: 0,
        afterOutage: 'skip',
      },
      station: stationSerial,
      ...given('meter', serialOf(watering, 'flow')),
      ...given('rain', serialOf(watering, 'rain')),
      groups,
      programs: watering.programs.map(toProgram),
    },
  ]
}
