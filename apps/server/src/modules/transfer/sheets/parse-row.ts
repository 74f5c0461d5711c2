import type { DeviceKind } from '@isotherm/contract/devices'
import { heatedAreaRange } from '@isotherm/contract/network/heated-area'
import { pipeRanges } from '@isotherm/contract/network/pipes'
import { addressName, nodeName } from '@isotherm/contract/tree'
import { isImei } from '@isotherm/kernel/imei'
import { type Cells, type Column, levelColumns } from './columns.ts'
import type { DeviceRow, ModelRow, ParsedRow, PipeRow, PlacePart, StructureRow } from './parsed-rows.ts'
import {
  checkPair,
  isSerial,
  NAME_LENGTH,
  RowFault,
  readGivenName,
  readMatching,
  readNumber,
  readPlace,
  readText,
  readWord,
  requireGivenName,
  requirePlace,
  requireText,
} from './read-cells.ts'
import { characteristicColumns, readCharacteristic } from './read-characteristic.ts'
import { readGroup, readSource } from './read-irrigation.ts'
import { type Fault, findEmitter, findKind, findMaterial, isYes } from './texts.ts'

const DESCRIPTION_LENGTH = 200
const STYPE_LENGTH = 8
const MAX_PERIOD_S = 31 * 86_400
const METER_NUMBER = /^[0-9A-Za-z]{4,20}$/
const GROUP_LEVELS: readonly number[] = [
  levelColumns.company,
  levelColumns.area,
  levelColumns.station,
  levelColumns.residentialArea,
]

function readName(cells: Cells, column: keyof typeof levelColumns): string | null {
  const name = readText(cells, column, NAME_LENGTH)
  const isAddress = levelColumns[column] > levelColumns.building
  if (name !== null && !(isAddress ? addressName : nodeName).safeParse(name).success) {
    throw new RowFault(isAddress ? 'row.bad-part' : 'row.bad-name', { column })
  }
  return name
}

function readKind(cells: Cells): DeviceKind {
  const kind = findKind(requireText(cells, 'kind', NAME_LENGTH))
  if (!kind) throw new RowFault('row.bad-value', { column: 'kind' })
  return kind
}

function readParts(cells: Cells): readonly PlacePart[] {
  if (cells.project === undefined) throw new RowFault('row.missing', { column: 'project' })
  const parts: PlacePart[] = []
  for (const column of Object.keys(levelColumns) as (keyof typeof levelColumns)[]) {
    const name = readName(cells, column)
    if (name !== null) parts.push({ name, level: levelColumns[column] })
  }
  const levels = parts.map(({ level }) => level)
  const deepest = levels.at(-1) ?? 0
  if (deepest > levelColumns.building && !levels.includes(levelColumns.building)) {
    throw new RowFault('row.no-building')
  }
  const hasGroup = levels.some((level) => GROUP_LEVELS.includes(level))
  if (levels.includes(levelColumns.building) && !hasGroup) throw new RowFault('row.no-group')
  return parts
}

function parseStructure(cells: Cells): StructureRow {
  const parts = readParts(cells)
  const level = parts.at(-1)?.level ?? 0
  const stype = readText(cells, 'stype', STYPE_LENGTH)
  if (stype !== null && !GROUP_LEVELS.includes(level))
    throw new RowFault('row.wrong-kind', { column: 'stype' })
  const isTest = cells.test !== undefined && isYes(cells.test)
  if (isTest && level !== levelColumns.building) throw new RowFault('row.wrong-kind', { column: 'test' })
  const longitudeDeg = readNumber(cells, 'longitudeDeg', { min: -180, max: 180 })
  const latitudeDeg = readNumber(cells, 'latitudeDeg', { min: -90, max: 90 })
  checkPair(longitudeDeg, latitudeDeg, 'longitudeDeg')
  return {
    sheet: 'structure',
    parts,
    stype,
    longitudeDeg,
    latitudeDeg,
    areaM2: readNumber(cells, 'areaM2', heatedAreaRange),
    description: readText(cells, 'description', DESCRIPTION_LENGTH),
    isTest: isTest ? true : null,
    emitter: readWord(cells, 'emitter', findEmitter),
  }
}

/** Refuses columns that devices of this kind do not have. */
function checkKind(cells: Cells, kind: DeviceKind): void {
  const wrong = (column: Column): RowFault => new RowFault('row.wrong-kind', { column })
  if (kind !== 'heat-meter' && cells.meterNo !== undefined) throw wrong('meterNo')
  if (kind !== 'valve' && cells.minOpeningPct !== undefined) throw wrong('minOpeningPct')
  if (kind !== 'valve' && cells.maxOpeningPct !== undefined) throw wrong('maxOpeningPct')
  if (kind !== 'valve') {
    const column = characteristicColumns.find((each) => cells[each] !== undefined)
    if (column) throw wrong(column)
  }
  if (kind === 'concentrator' && cells.concentrator !== undefined) throw wrong('concentrator')
}

function parseDevice(cells: Cells): DeviceRow {
  const serial = requireText(cells, 'serial', 64)
  if (!isSerial(serial)) throw new RowFault('row.bad-value', { column: 'serial' })
  const kind = readKind(cells)
  checkKind(cells, kind)
  const minOpeningPct = readNumber(cells, 'minOpeningPct', { min: 0, max: 100 })
  const maxOpeningPct = readNumber(cells, 'maxOpeningPct', { min: 0, max: 100 })
  checkPair(minOpeningPct, maxOpeningPct, 'minOpeningPct')
  if (minOpeningPct !== null && maxOpeningPct !== null && minOpeningPct > maxOpeningPct) {
    throw new RowFault('row.limits')
  }
  return {
    sheet: 'devices',
    serial,
    kind,
    minOpeningPct,
    maxOpeningPct,
    characteristic: readCharacteristic(cells),
    name: readGivenName(cells, 'name'),
    model: readGivenName(cells, 'model'),
    place: readPlace(cells, 'place'),
    concentrator: readMatching(cells, 'concentrator', isSerial),
    periodS: readNumber(cells, 'periodS', { min: 0, max: MAX_PERIOD_S, isAbove: true }),
    imei: readMatching(cells, 'imei', isImei),
    meterNo: readMatching(cells, 'meterNo', (text) => METER_NUMBER.test(text)),
    description: readText(cells, 'description', DESCRIPTION_LENGTH),
  }
}

const parseModel = (cells: Cells): ModelRow => ({
  sheet: 'models',
  kind: readKind(cells),
  name: requireGivenName(cells, 'model'),
  maker: readText(cells, 'maker', NAME_LENGTH),
  description: readText(cells, 'description', DESCRIPTION_LENGTH),
})

function readYear(cells: Cells): number | null {
  const year = readNumber(cells, 'laidYear', pipeRanges.laidYear)
  if (year !== null && !Number.isInteger(year)) throw new RowFault('row.bad-value', { column: 'laidYear' })
  return year
}

function parsePipe(cells: Cells): PipeRow {
  const [from, to] = [requirePlace(cells, 'from'), requirePlace(cells, 'to')]
  if (from.join() === to.join()) throw new RowFault('row.bad-value', { column: 'to' })
  return {
    sheet: 'pipes',
    from,
    to,
    material: readWord(cells, 'material', findMaterial),
    laidYear: readYear(cells),
    lengthM: readNumber(cells, 'lengthM', pipeRanges.lengthM),
    innerDiameterMm: readNumber(cells, 'innerDiameterMm', pipeRanges.innerDiameterMm),
    roughnessMm: readNumber(cells, 'roughnessMm', pipeRanges.roughnessMm),
  }
}

const parsers = {
  structure: parseStructure,
  devices: parseDevice,
  models: parseModel,
  pipes: parsePipe,
  'irrigation-sources': readSource,
  'irrigation-groups': readGroup,
} as const

/** Parses one row; returns a fault if it is invalid. */
export function parseRow(sheet: ParsedRow['sheet'], cells: Cells): ParsedRow | Fault {
  try {
    return parsers[sheet](cells)
  } catch (error) {
    if (error instanceof RowFault) return error.fault
    throw error
  }
}

/** Short description of a row for users. */
export function toSubject(sheet: ParsedRow['sheet'], cells: Cells): string {
  const levels = Object.keys(levelColumns) as (keyof typeof levelColumns)[]
  const parts = {
    structure: levels.map((column) => cells[column]),
    devices: [cells.serial],
    models: [cells.kind, cells.model],
    pipes: [cells.from, cells.to],
    'irrigation-sources': [cells.place, cells.source],
    'irrigation-groups': [cells.place, cells.source, cells.group],
  }
  return parts[sheet]
    .filter((part) => part !== undefined)
    .join(sheet === 'pipes' ? ' → ' : ',')
    .slice(0, 500)
}
