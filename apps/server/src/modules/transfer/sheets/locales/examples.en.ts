import type { TransferSheet } from '@isotherm/contract/transfer'
import type { Cells } from '../columns.ts'

const above = { project: 'Sunny Heat', company: 'City', station: 'Station 1', residentialArea: 'Harmony' }
const AREA = 'Sunny Heat,City,Station 1,Harmony'
const building = { place: `${AREA},Building 1`, concentrator: 'GW-0001', periodS: '900' }

/** Rows that belong together, for the template. */
export const examplesEn: Readonly<Record<TransferSheet, readonly Cells[]>> = {
  models: [{ kind: 'valve', model: 'DN40', maker: 'A valve maker' }],
  structure: [
    {
      project: 'Sunny Heat',
      company: 'City',
      station: 'Station 1',
      longitudeDeg: '116.4',
      latitudeDeg: '39.9',
    },
    { ...above, building: 'Building 1', areaM2: '4800', emitter: 'radiator' },
    { ...above, building: 'Building 1', unit: 'Unit 1', household: '301', areaM2: '88.5' },
  ],
  devices: [
    {
      serial: 'GW-0001',
      kind: 'concentrator',
      name: 'Concentrator',
      model: 'DC-1',
      place: AREA,
      periodS: '900',
    },
    {
      ...building,
      serial: 'V-0001',
      kind: 'valve',
      name: 'Inlet valve',
      model: 'DN40',
      minOpeningPct: '10',
      maxOpeningPct: '90',
      curve: 'equal-percentage',
      kvsM3H: '16',
      rangeability: '50',
    },
    {
      ...building,
      serial: 'HM-0001',
      kind: 'heat-meter',
      name: 'Heat meter',
      model: 'UHM-25',
      meterNo: '12345678',
    },
    {
      ...building,
      serial: 'RS-0001',
      kind: 'room-sensor',
      name: 'Living room of 301',
      model: 'T1',
      place: `${building.place},Unit 1,301`,
    },
    {
      serial: 'GV-0001',
      kind: 'valve',
      name: 'Garden valve',
      model: 'GV-25',
      place: AREA,
      concentrator: 'GW-0001',
      periodS: '900',
    },
  ],
  pipes: [
    {
      from: 'Sunny Heat,City,Station 1',
      to: AREA,
      lengthM: '180',
      innerDiameterMm: '107.1',
      material: 'steel',
      laidYear: '2009',
    },
  ],
  'irrigation-sources': [{ place: AREA, source: 'Garden pump house', capacityM3H: '20' }],
  'irrigation-groups': [
    { place: AREA, source: 'Garden pump house', group: 'Flower beds', valves: 'GV-0001:6.5:1800' },
  ],
}
