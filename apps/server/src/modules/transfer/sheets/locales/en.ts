import type { DeviceKind } from '@isotherm/contract/devices'
import type { GroupMode, OutageRule } from '@isotherm/contract/irrigation'
import type { EmitterKind } from '@isotherm/contract/network/emitters'
import type { PipeMaterial } from '@isotherm/contract/network/pipes'
import type { TransferSheet } from '@isotherm/contract/transfer'
import type { CurveKind } from '@isotherm/contract/valve-characteristic'
import type { Column } from '../columns.ts'
import type { Reason, wordsZh } from './zh.ts'

export const sheetsEn: Readonly<Record<TransferSheet, string>> = {
  models: 'Models',
  structure: 'Structure',
  devices: 'Devices',
  pipes: 'Pipes',
  'irrigation-sources': 'Irrigation sources',
  'irrigation-groups': 'Irrigation groups',
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
  altitudeM: 'Altitude (m)',
  emitter: 'Emitter',
  serial: 'Serial',
  name: 'Name',
  place: 'Place',
  concentrator: 'Concentrator',
  periodS: 'Reporting period (s)',
  imei: 'IMEI',
  meterNo: 'Meter number',
  minOpeningPct: 'Minimum opening (%)',
  maxOpeningPct: 'Maximum opening (%)',
  curve: 'Flow characteristic',
  kvsM3H: 'Kvs (m³/h)',
  rangeability: 'Rangeability',
  curvePoints: 'Measured points (%:m³/h)',
  from: 'From',
  to: 'To',
  lengthM: 'Length (m)',
  innerDiameterMm: 'Inner diameter (mm)',
  material: 'Material',
  roughnessMm: 'Roughness (mm)',
  laidYear: 'Year laid',
  source: 'Water source',
  capacityM3H: 'Capacity (m³/h)',
  dailyBudgetM3: 'Water per day (m³)',
  controller: 'Serial of the pump house controller',
  master: 'Serial of the master valve',
  flowMeter: 'Serial of the flow meter',
  inletSensor: 'Serial of the pressure sensor before the pump',
  outletSensor: 'Serial of the pressure sensor after the pump',
  rainSensor: 'Serial of the rain sensor',
  leadS: 'Lead of pump and master valve (s)',
  lagS: 'Lag of the master valve (s)',
  groupDelayS: 'Pause between groups (s)',
  leakM3H: 'Leak from a flow of (m³/h)',
  leakS: 'Leak after (s)',
  leakBlocks: 'No program during a leak',
  dryRunS: 'Pump without water at most (s)',
  minInletKpa: 'Least pressure before the pump (kPa)',
  afterOutage: 'After an outage',
  group: 'Irrigation group',
  mode: 'Valves open',
  valves: 'Valves (serial:m³/h:s)',
  wetPct: 'No water from this soil moisture (%)',
  probes: 'Serials of soil probes',
}

/** Headings and the reason heading of workbooks exported by earlier versions. They can still be imported. */
export const formerHeadingsEn: Readonly<Record<Column, string>> = {
  ...headingsEn,
  periodS: 'Period (s)',
  minOpeningPct: 'Least opening (%)',
  maxOpeningPct: 'Largest opening (%)',
}
export const FORMER_REASON_EN = 'Why it failed'

export const kindsEn: Readonly<Record<DeviceKind, string>> = {
  valve: 'valve',
  'heat-meter': 'heat-meter',
  'room-sensor': 'room-sensor',
  station: 'station',
  concentrator: 'concentrator',
  sensor: 'sensor',
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

export const curvesEn: Readonly<Record<CurveKind, string>> = {
  'equal-percentage': 'equal-percentage',
  linear: 'linear',
  'quick-opening': 'quick-opening',
  measured: 'measured',
}

export const modesEn: Readonly<Record<GroupMode, string>> = {
  sequential: 'One after the other',
  parallel: 'Together',
}

export const outagesEn: Readonly<Record<OutageRule, string>> = {
  resume: 'Continue with the rest',
  skip: 'Skip what has passed',
  finish: 'End the run',
}

export const wordsEn: Readonly<Record<keyof typeof wordsZh, string>> = {
  reason: 'Reason for failure',
  explanations: 'Instructions',
  examples: 'Examples',
  column: 'Column',
  meaning: 'Allowed values',
  sheet: 'Sheet',
  row: 'Row',
  readings: 'Readings',
  yes: 'yes',
  no: 'no',
  template: 'Import template',
  failedRows: 'Failed rows',
  export: 'Export',
}

export const meaningsEn: Readonly<Record<Column, string>> = {
  kind: 'valve, heat-meter, room-sensor, station or concentrator',
  model: 'Name of the model, up to 60 characters; models used in the device sheet are added automatically',
  maker: 'Manufacturer, up to 60 characters',
  description: 'Up to 200 characters',
  project: 'Required. The highest level; names must not contain commas, and units and households no hyphens',
  company: 'Company level; leave empty if there is none',
  area: 'Area level; leave empty if there is none',
  station: 'Heat station level; leave empty if there is none',
  residentialArea: 'Residential area level; leave empty if there is none',
  building: 'Building; needs at least one level above it (company, area, heat station or residential area)',
  unit: 'Unit of a building; leave empty if there is none',
  household: 'Household of a building',
  areaM2: 'Heated area, m², 0.1 to 10000000',
  stype:
    'Subdivision type for the levels company to residential area, up to 8 characters; s means collapsed by default',
  test: 'yes for a test building, at most one per project',
  longitudeDeg: 'WGS-84 longitude, -180 to 180, together with the latitude',
  latitudeDeg: 'WGS-84 latitude, -90 to 90, together with the longitude',
  altitudeM:
    'Altitude of the source, metres, -430 to 5000; empty: the evapotranspiration is that of the sea level',
  emitter: 'Heat emitter: radiator, floor or fan-coil; inherited by lower levels unless they name another',
  serial: 'Required. The ID the device reports with: letters, digits, _ . and -, up to 64 characters',
  name: 'Name of the device, up to 60 characters; required for a new device',
  place:
    'Node of the device, source or group: names from the project down, separated by commas; required for a new device and for irrigation',
  concentrator: 'Serial of its concentrator; leave empty for a device with its own connection',
  periodS: 'Reporting period, s, greater than 0; required for a new device',
  imei: '15 digits; the last one is a check digit',
  meterNo: 'Heat meter number, 4 to 20 letters and digits',
  minOpeningPct: 'Minimum opening allowed for the valve, 0 to 100; give it together with the maximum',
  maxOpeningPct: 'Maximum opening allowed for the valve, 0 to 100',
  curve:
    'Flow characteristic of the valve if it is known: equal-percentage, linear, quick-opening or measured. If empty, words in the model (such as LIN, EQ%, ball) are used, else equal-percentage',
  kvsM3H:
    'Flow coefficient when fully open, m³/h at 1 bar, 0.01 to 10000; together with equal-percentage, linear or quick-opening',
  rangeability:
    'Ratio of the largest to the smallest controllable flow coefficient, 2 to 500; together with equal-percentage',
  curvePoints:
    'The 3 to 21 points of a measured characteristic: "opening:flow coefficient", separated by semicolons, such as 0:0.1; 50:4; 100:16. Openings are whole numbers that rise to 100; flow coefficients never fall',
  from: 'Node at one end of the pipe: names from the project down, separated by commas',
  to: 'Node at the other end, in either order, for example heat station to area, area to building, building to unit',
  lengthM: 'Length of the trench (one supply and one return pipe), m; required for a new pipe',
  innerDiameterMm: 'Inner diameter, mm; required for a new pipe',
  material: 'steel, copper, PE-RT, PB or PP-R; steel for a new pipe if empty',
  roughnessMm: 'Inner wall roughness, mm; the usual value of the material if empty',
  laidYear: 'Year of installation, four digits',
  source:
    'Required. Name of the pump house or intake, at most 60 characters, such as Pump house 1. The same name at the same place is the same source',
  capacityM3H:
    'Flow that may be taken at once, cubic metres per hour, 0.1 to 10000; required for a new source',
  dailyBudgetM3: 'Water per local day, cubic metres; empty for no limit',
  controller:
    'Serial of the controller of the pump house, at the place or below; for flow, pressure, and the protections against leaks and dry running',
  master: 'Serial of the master valve, at the place or below, if there is one',
  flowMeter:
    'Serial of a flow meter of its own (an irrigation sensor), at the place or below; it counts instead of the flow at the controller',
  inletSensor:
    'Serial of a pressure sensor of its own before the pump, at the place or below; it counts instead of that of the controller',
  outletSensor:
    'Serial of a pressure sensor of its own after the pump, at the place or below; it counts instead of that of the controller',
  rainSensor:
    'Serial of a rain sensor of its own, at the place or below; it counts instead of the rain of weather stations',
  leadS:
    'Pump and master valve start this long before the first group, seconds, 0 to 600; 10 if empty for a new source',
  lagS: 'The master valve stays open this long after the last group, seconds, 0 to 600',
  groupDelayS: 'Pause between two groups, seconds, 0 to 3600; 10 if empty for a new source',
  leakM3H: 'A larger flow while no valve is open is a leak, cubic metres per hour; 0.2 if empty',
  leakS: 'A leak is reported after this time, seconds, 10 to 3600; 120 if empty',
  leakBlocks: 'Write "no" if programs start although a leak is not released; empty is "yes"',
  dryRunS: 'Longest time of a pump without water, seconds, 10 to 600; 60 if empty',
  minInletKpa: 'Least pressure before the pump, kilopascals above the atmosphere; empty if it is not watched',
  afterOutage:
    'Runs after an outage of the server: "Continue with the rest", "Skip what has passed" or "End the run"; the first if empty for a new source',
  group:
    'Required. Name of the irrigation group, at most 60 characters. The same name in the same source is the same group',
  mode: '"One after the other" or "Together"; the first if empty for a new group',
  valves:
    'Valves separated by semicolons, each as "serial:flow:longest time", such as GV-01:6.5:1800; GV-02:6:1800. Flow in cubic metres per hour; longest time at a stretch in seconds, 30 to 64800. Valves are at the place of the source or below. Required for a new group',
  wetPct: 'Soil moisture from which on the group gets no water, % of volume; empty without a probe',
  probes:
    'Serials of soil probes of their own, at the place of the source or below, separated by semicolons; they count instead of probes at valves',
}

export const notesEn: readonly string[] = [
  'Columns with * are needed in each row of something new. Rows of the sheet "Examples" can be copied; that sheet itself is not imported.',
  'Each row describes one node (the deepest level given), one device, one pipe, one irrigation source or one irrigation group. Missing upper levels are added automatically.',
  'An empty cell leaves the stored value unchanged. An import never removes nodes, devices, pipes, sources or groups.',
  'Importing the same file again changes nothing.',
]

export const reasonsEn: Readonly<Record<Reason, string>> = {
  'file.unreadable': 'The file cannot be read: {detail}',
  'file.no-sheet':
    'The file has no sheet named Structure, Models, Devices, Pipes, Irrigation sources or Irrigation groups',
  'file.unknown-column': 'Sheet "{sheet}" has an unknown column "{heading}"',
  'file.double-column': 'Sheet "{sheet}" has the column "{heading}" twice',
  'file.missing-column': 'Sheet "{sheet}" has no column "{column}"',
  'file.too-many-rows': 'More than {limit} rows',
  'file.long-sheet': 'Sheet "{sheet}" has more than {limit} rows. Import it in several files',
  'file.gave-up': 'The server could not finish the import after several attempts. Try again',
  'row.missing': '"{column}" is missing',
  'row.too-long': '"{column}" is longer than {limit} characters',
  'row.bad-name': '"{column}" must not contain commas',
  'row.bad-part': '"{column}" must not contain commas or hyphens',
  'row.not-a-number': '"{column}" must be a number from {least} to {most}',
  'row.bad-value': '"{column}" is not valid',
  'row.pair': 'Give "{column}" together with its counterpart',
  'row.limits': 'The minimum opening must not be greater than the maximum',
  'row.wrong-kind': '"{column}" does not apply to this kind of device or node',
  'row.wrong-curve': '"{column}" does not apply to this flow characteristic',
  'row.bad-points':
    'Write "{column}" as "opening:flow coefficient", separated by semicolons, such as 0:0.1; 50:4; 100:16',
  'row.no-group':
    'A building needs at least one level above it (company, area, heat station or residential area)',
  'row.no-building': 'Units and households must be inside a building',
  'row.twice': 'Another row of the file describes the same object',
  'row.other-level': 'The name is already used on another level',
  'row.conflict': 'Conflicts with a change made just now. Import again',
  'device.kind-differs': 'A device of another kind already has this serial',
  'device.retired': 'The device with this serial is retired',
  'device.incomplete': 'A new device needs a name, model, place and reporting period',
  'device.imei-taken': 'Another device has this IMEI',
  'device.meter-taken': 'Another device has this meter number',
  'device.no-concentrator': 'No concentrator has this serial',
  'reading.no-device': 'The device is missing',
  'reading.unknown-device': 'Device not found, or outside your access: {device}',
  'reading.bad-time': 'The time is not recognised: {value}',
  'reading.future': 'The time is in the future',
  'reading.too-old': 'Older than readings are retained',
  'reading.unknown-metric': 'The metric "{name}" is not mapped',
  'reading.wrong-metric': 'This kind of device does not report this metric: {metric}',
  'reading.not-a-number': 'Not a number: {value}',
  'reading.other-value': 'Another value is stored for this time; an import does not replace it',
  'pipe.incomplete': 'A new pipe needs a length and an inner diameter',
  'row.bad-valves':
    'Write "{column}" as "serial:flow:longest time", separated by semicolons, such as GV-01:6.5:1800; GV-02:6:1800',
  'row.valve-twice': 'The valve {serial} is written twice',
  'source.incomplete': 'A new source needs a capacity',
  'group.incomplete': 'A new irrigation group needs valves',
  'group.no-source': 'This place has no such source: {source}',
  'irrigation.no-device':
    'No device has the serial {serial}, or it is not below the place of the source, or of another kind',
}
