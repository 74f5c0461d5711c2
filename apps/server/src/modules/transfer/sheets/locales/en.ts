import type { DeviceKind } from '@isotherm/contract/devices'
import type { EmitterKind } from '@isotherm/contract/emitters'
import type { PipeMaterial } from '@isotherm/contract/pipes'
import type { TransferSheet } from '@isotherm/contract/transfer'
import type { Column } from '../columns.ts'
import type { Reason, wordsZh } from './zh.ts'

export const sheetsEn: Readonly<Record<TransferSheet, string>> = {
  models: 'Models',
  structure: 'Structure',
  devices: 'Devices',
  pipes: 'Pipes',
}

export const headingsEn: Readonly<Record<Column, string>> = {
  kind: 'Kind',
  model: 'Model',
  maker: 'Maker',
  description: 'Description',
  project: 'Project',
  company: 'Company',
  area: 'Area',
  station: 'Heat station',
  residentialArea: 'Residential area',
  building: 'Building',
  unit: 'Unit',
  household: 'Household',
  areaM2: 'Heated area (m²)',
  stype: 'Subdivision type',
  test: 'Test',
  longitudeDeg: 'Longitude (°)',
  latitudeDeg: 'Latitude (°)',
  emitter: 'Emitter',
  serial: 'Serial',
  name: 'Name',
  place: 'Place',
  concentrator: 'Concentrator',
  periodS: 'Period (s)',
  imei: 'IMEI',
  meterNo: 'Meter number',
  minOpeningPct: 'Least opening (%)',
  maxOpeningPct: 'Largest opening (%)',
  from: 'From',
  to: 'To',
  lengthM: 'Length (m)',
  innerDiameterMm: 'Inner diameter (mm)',
  material: 'Material',
  roughnessMm: 'Roughness (mm)',
  laidYear: 'Year laid',
}

export const kindsEn: Readonly<Record<DeviceKind, string>> = {
  valve: 'valve',
  'heat-meter': 'heat-meter',
  'room-sensor': 'room-sensor',
  station: 'station',
  concentrator: 'concentrator',
}

export const materialsEn: Readonly<Record<PipeMaterial, string>> = {
  steel: 'steel',
  copper: 'copper',
  'pe-rt': 'PE-RT',
  pb: 'PB',
  'pp-r': 'PP-R',
}

export const emittersEn: Readonly<Record<EmitterKind, string>> = {
  radiator: 'radiator',
  floor: 'floor',
  'fan-coil': 'fan-coil',
}

export const wordsEn: Readonly<Record<keyof typeof wordsZh, string>> = {
  reason: 'Why it failed',
  explanations: 'How to fill it in',
  column: 'Column',
  meaning: 'What it takes',
  sheet: 'Sheet',
  yes: 'yes',
  template: 'Import template',
  failedRows: 'Failed rows',
  export: 'Export',
}

export const meaningsEn: Readonly<Record<Column, string>> = {
  kind: 'valve, heat-meter, room-sensor, station or concentrator',
  model: 'Name of the model, up to 60 signs; a model that devices name is added by itself',
  maker: 'Who makes it, up to 60 signs',
  description: 'Up to 200 signs',
  project: 'Needed. The highest level; names have no comma and no hyphen',
  company: 'Level of the company, empty where there is none',
  area: 'Level of the area, empty where there is none',
  station: 'Level of the heat station, empty where there is none',
  residentialArea: 'Level of the residential area, empty where there is none',
  building: 'A building; one level from company to residential area must stand above it',
  unit: 'A unit, within a building; empty where there is none',
  household: 'A household, within a building',
  areaM2: 'Heated area, m², above 0',
  stype: 'Type of the subdivision of a company to residential area, up to 8 signs; s is folded at first',
  test: 'yes for the one building of a project that exists for testing',
  longitudeDeg: 'WGS-84 longitude, -180 to 180, together with the latitude',
  latitudeDeg: 'WGS-84 latitude, -90 to 90, together with the longitude',
  emitter:
    'What heats the rooms: radiator, floor or fan-coil; holds for all below of which nothing else is said',
  serial: 'Needed. The name by which a device speaks: letters, digits, _ . and -, up to 64',
  name: 'Name of the device, up to 60 signs; needed for a new one',
  place: 'Its node: names from the project down, joined by commas; needed for a new one',
  concentrator: 'Serial of the concentrator it speaks through; empty when it has its own link',
  periodS: 'How often it reports, s, above 0; needed for a new one',
  imei: '15 digits, the last of which checks the others',
  meterNo: 'Number of a heat meter, 4 to 20 letters and digits',
  minOpeningPct: 'Least opening a valve may be told to take, 0 to 100, together with the largest',
  maxOpeningPct: 'Largest opening a valve may be told to take, 0 to 100',
  from: 'Node at one end of the pipe: names from the project down, joined by commas',
  to: 'Node at the other end, whichever comes first: such as from a heat station to an area, a building, a unit',
  lengthM: 'Length of the trench with its supply and its return pipe, m; needed for a new one',
  innerDiameterMm: 'Inner diameter, mm; needed for a new one',
  material: 'steel, copper, PE-RT, PB or PP-R; steel for a new one that says nothing',
  roughnessMm: 'Roughness of the wall inside, mm; as usual for the material when empty',
  laidYear: 'Year in which it was laid',
}

export const notesEn: readonly string[] = [
  'Each row is about one node, the deepest level it names, one device or one pipe; levels above it are added when missing.',
  'An empty cell takes nothing away, and an import removes neither nodes nor devices nor pipes.',
  'Importing the same file again changes nothing.',
]

export const reasonsEn: Readonly<Record<Reason, string>> = {
  'file.unreadable': 'The file cannot be read: {detail}',
  'file.no-sheet': 'No sheet is named Structure, Models, Devices or Pipes',
  'file.unknown-column': 'Sheet "{sheet}" has an unknown column "{heading}"',
  'file.double-column': 'Sheet "{sheet}" has the column "{heading}" twice',
  'file.missing-column': 'Sheet "{sheet}" lacks the column "{column}"',
  'file.too-many-rows': 'More than {limit} rows',
  'file.gave-up': 'The server did not get through after several attempts, please try again',
  'row.missing': '"{column}" is missing',
  'row.too-long': '"{column}" is longer than {limit} signs',
  'row.bad-name': '"{column}" must have no comma and no hyphen',
  'row.not-a-number': '"{column}" must be a number from {least} to {most}',
  'row.bad-value': '"{column}" is not valid',
  'row.pair': '"{column}" and its counterpart must be given together',
  'row.limits': 'The least opening is larger than the largest',
  'row.wrong-kind': 'A device of this kind has no "{column}"',
  'row.no-group': 'A level from company to residential area must stand above a building',
  'row.no-building': 'Units and households stand within a building',
  'row.twice': 'Another row of the file is about the same',
  'row.other-level': 'The name is used on another level',
  'row.conflict': 'Meets a change somebody made just now, please import again',
  'device.kind-differs': 'There is a device of another kind with this serial',
  'device.retired': 'The device of this serial is retired',
  'device.incomplete': 'A new device needs name, model, place and period',
  'device.imei-taken': 'Another device has this IMEI',
  'device.meter-taken': 'Another device has this meter number',
  'device.no-concentrator': 'There is no concentrator with this serial',
  'pipe.incomplete': 'A new pipe needs a length and an inner diameter',
}
