import type { TransferSheet } from '@isotherm/contract/transfer'
import { treeLevels } from '@isotherm/contract/tree'

/** The columns of a node's place with their tree levels, from the top. */
export const levelColumns = {
  project: treeLevels.group,
  company: treeLevels.company,
  area: treeLevels.area,
  station: treeLevels.station,
  residentialArea: treeLevels.residentialArea,
  building: treeLevels.building,
  unit: treeLevels.unit,
  household: treeLevels.household,
} as const

/** All columns of each sheet, in the order of an export. */
export const columns = {
  models: ['kind', 'model', 'maker', 'description'],
  structure: [
    'project',
    'company',
    'area',
    'station',
    'residentialArea',
    'building',
    'unit',
    'household',
    'areaM2',
    'stype',
    'description',
    'test',
    'longitudeDeg',
    'latitudeDeg',
    'emitter',
  ],
  devices: [
    'serial',
    'kind',
    'name',
    'model',
    'place',
    'concentrator',
    'periodS',
    'imei',
    'meterNo',
    'minOpeningPct',
    'maxOpeningPct',
    'curve',
    'kvsM3H',
    'rangeability',
    'curvePoints',
    'description',
  ],
  pipes: ['from', 'to', 'lengthM', 'innerDiameterMm', 'material', 'roughnessMm', 'laidYear'],
  'irrigation-sources': [
    'place',
    'source',
    'capacityM3H',
    'dailyBudgetM3',
    'controller',
    'master',
    'flowMeter',
    'inletSensor',
    'outletSensor',
    'rainSensor',
    'leadS',
    'lagS',
    'groupDelayS',
    'leakM3H',
    'leakS',
    'leakBlocks',
    'dryRunS',
    'minInletKpa',
    'longitudeDeg',
    'latitudeDeg',
    'altitudeM',
    'afterOutage',
  ],
  'irrigation-groups': ['place', 'source', 'group', 'mode', 'valves', 'wetPct', 'probes'],
} as const satisfies Record<TransferSheet, readonly string[]>

export type Column = (typeof columns)[TransferSheet][number]

/** Columns that a sheet must have. */
export const requiredColumns = {
  models: ['kind', 'model'],
  structure: ['project'],
  devices: ['serial', 'kind'],
  pipes: ['from', 'to'],
  'irrigation-sources': ['place', 'source'],
  'irrigation-groups': ['place', 'source', 'group'],
} as const satisfies Record<TransferSheet, readonly Column[]>

/** Columns that a row of something new must fill. */
export const neededColumns = {
  ...requiredColumns,
  devices: [...requiredColumns.devices, 'name', 'model', 'place', 'periodS'],
  pipes: [...requiredColumns.pipes, 'lengthM', 'innerDiameterMm'],
  'irrigation-sources': [...requiredColumns['irrigation-sources'], 'capacityM3H'],
  'irrigation-groups': [...requiredColumns['irrigation-groups'], 'valves'],
} as const satisfies Record<TransferSheet, readonly Column[]>

/** Cell texts of a row by column. */
export type Cells = Readonly<Partial<Record<Column, string>>>
