import type { BalanceValve } from './valve-query.ts'

/** A valve of a household of 100 m² with 0.25 m³/h. */
export const sampleValve = (over: Partial<BalanceValve> = {}): BalanceValve => ({
  deviceId: 1,
  deviceName: '301阀',
  node: '00000000-0000-4000-8000-000000000001-L2-1单元-301',
  nestaddr: '集团,公司,东区,一号站,阳光小区,3号楼,1单元,301',
  areaM2: 100,
  openingPct: 50,
  flowM3H: 0.25,
  supplyC: 45,
  returnC: 37,
  roomC: 20.5,
  deviationK: 0.4,
  ...over,
})
