import { irrigationRanges, irrigationValve, MAX_PROBES, MAX_VALVES } from '@isotherm/contract/irrigation'
import type { Cells, Column } from './columns.ts'
import type { GroupRow, SourceRow, ValveCell } from './parsed-rows.ts'
import {
  checkPair,
  isSerial,
  RowFault,
  readMatching,
  readNumber,
  readWord,
  requireGivenName,
  requirePlace,
} from './read-cells.ts'
import { findAnswer, findMode, findOutageRule } from './texts.ts'

const readAmount = (cells: Cells, column: Column & keyof typeof irrigationRanges): number | null =>
  readNumber(cells, column, irrigationRanges[column])

/** Reads whole seconds. */
function readSeconds(cells: Cells, column: 'leadS' | 'lagS' | 'groupDelayS' | 'leakS' | 'dryRunS') {
  const seconds = readAmount(cells, column)
  if (seconds !== null && !Number.isInteger(seconds)) throw new RowFault('row.bad-value', { column })
  return seconds
}

export function readSource(cells: Cells): SourceRow {
  const longitude = readNumber(cells, 'longitudeDeg', irrigationRanges.longitude)
  const latitude = readNumber(cells, 'latitudeDeg', irrigationRanges.latitude)
  checkPair(longitude, latitude, 'longitudeDeg')
  return {
    sheet: 'irrigation-sources',
    longitude,
    latitude,
    place: requirePlace(cells, 'place'),
    source: requireGivenName(cells, 'source'),
    controller: readMatching(cells, 'controller', isSerial),
    master: readMatching(cells, 'master', isSerial),
    flowMeter: readMatching(cells, 'flowMeter', isSerial),
    inletSensor: readMatching(cells, 'inletSensor', isSerial),
    outletSensor: readMatching(cells, 'outletSensor', isSerial),
    rainSensor: readMatching(cells, 'rainSensor', isSerial),
    capacityM3H: readAmount(cells, 'capacityM3H'),
    dailyBudgetM3: readAmount(cells, 'dailyBudgetM3'),
    leadS: readSeconds(cells, 'leadS'),
    lagS: readSeconds(cells, 'lagS'),
    groupDelayS: readSeconds(cells, 'groupDelayS'),
    leakM3H: readAmount(cells, 'leakM3H'),
    leakS: readSeconds(cells, 'leakS'),
    leakBlocks: readWord(cells, 'leakBlocks', findAnswer),
    dryRunS: readSeconds(cells, 'dryRunS'),
    minInletKpa: readAmount(cells, 'minInletKpa'),
    altitudeM: readAmount(cells, 'altitudeM'),
    afterOutage: readWord(cells, 'afterOutage', findOutageRule),
  }
}

const valveCell = irrigationValve.omit({ deviceId: true })
const VALVE = /^\s*([A-Za-z0-9_.-]{1,64})\s*[:：]\s*(\d+(?:\.\d+)?)\s*[:：]\s*(\d+)\s*$/

/** Valves written as `GV-01:6.5:1800; GV-02:6:1800`: serial, flow in m³/h, longest time at a stretch in s. */
function readValves(cells: Cells): readonly ValveCell[] | null {
  const items = cells.valves?.split(/[;；]/).filter((item) => item.trim() !== '')
  if (items === undefined) return null
  const bad = new RowFault('row.bad-valves', { column: 'valves' })
  if (items.length === 0 || items.length > MAX_VALVES) throw bad
  const valves = items.map((item) => {
    const [, serial = '', flowM3H, maxS] = VALVE.exec(item) ?? []
    const valve = valveCell.safeParse({ flowM3H: Number(flowM3H), maxS: Number(maxS) })
    if (!valve.success) throw bad
    return { serial, ...valve.data }
  })
  const twice = valves.find(({ serial }, index) => valves.findIndex((one) => one.serial === serial) < index)
  if (twice) throw new RowFault('row.valve-twice', { serial: twice.serial })
  return valves
}

/** Soil probes written as `SP-01; SP-02`: serials. */
function readProbes(cells: Cells): readonly string[] | null {
  const serials = cells.probes
    ?.split(/[;；]/)
    .map((serial) => serial.trim())
    .filter((serial) => serial !== '')
  if (serials === undefined) return null
  const isGood = serials.length > 0 && serials.length <= MAX_PROBES && serials.every(isSerial)
  if (!isGood || new Set(serials).size < serials.length)
    throw new RowFault('row.bad-value', { column: 'probes' })
  return serials
}

export const readGroup = (cells: Cells): GroupRow => ({
  sheet: 'irrigation-groups',
  place: requirePlace(cells, 'place'),
  source: requireGivenName(cells, 'source'),
  group: requireGivenName(cells, 'group'),
  mode: readWord(cells, 'mode', findMode),
  valves: readValves(cells),
  wetPct: readAmount(cells, 'wetPct'),
  probes: readProbes(cells),
})
