import type { TransferSheet } from '@isotherm/contract/transfer'
import type { Cells } from '../columns.ts'

const above = { project: '阳光供热', company: '城区公司', station: '一号站', residentialArea: '和园小区' }
const AREA = '阳光供热,城区公司,一号站,和园小区'
const building = { place: `${AREA},1号楼`, concentrator: 'JZQ-0001', periodS: '900' }

/** Rows that belong together, for the template. */
export const examplesZh: Readonly<Record<TransferSheet, readonly Cells[]>> = {
  models: [{ kind: '阀门', model: 'DN40', maker: '某阀门厂' }],
  structure: [
    {
      project: '阳光供热',
      company: '城区公司',
      station: '一号站',
      longitudeDeg: '116.4',
      latitudeDeg: '39.9',
    },
    { ...above, building: '1号楼', areaM2: '4800', emitter: '散热器' },
    { ...above, building: '1号楼', unit: '1单元', household: '301', areaM2: '88.5' },
  ],
  devices: [
    { serial: 'JZQ-0001', kind: '集中器', name: '和园集中器', model: 'DC-1', place: AREA, periodS: '900' },
    {
      ...building,
      serial: 'FM-0001',
      kind: '阀门',
      name: '1号楼入口阀',
      model: 'DN40',
      minOpeningPct: '10',
      maxOpeningPct: '90',
      curve: '等百分比',
      kvsM3H: '16',
      rangeability: '50',
    },
    {
      ...building,
      serial: 'RB-0001',
      kind: '热量表',
      name: '1号楼热量表',
      model: 'UHM-25',
      meterNo: '12345678',
    },
    {
      ...building,
      serial: 'SW-0001',
      kind: '室温采集器',
      name: '301 客厅',
      model: 'T1',
      place: `${building.place},1单元,301`,
    },
    {
      serial: 'GV-0001',
      kind: '阀门',
      name: '花园电磁阀',
      model: 'GV-25',
      place: AREA,
      concentrator: 'JZQ-0001',
      periodS: '900',
    },
  ],
  pipes: [
    {
      from: '阳光供热,城区公司,一号站',
      to: AREA,
      lengthM: '180',
      innerDiameterMm: '107.1',
      material: '钢管',
      laidYear: '2009',
    },
  ],
  'irrigation-sources': [{ place: AREA, source: '花园泵房', capacityM3H: '20' }],
  'irrigation-groups': [{ place: AREA, source: '花园泵房', group: '花坛', valves: 'GV-0001:6.5:1800' }],
}
