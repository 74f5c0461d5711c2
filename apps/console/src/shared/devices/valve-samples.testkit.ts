import type { Command, CommandBatch, ValveHold } from '@isotherm/contract/command'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** The current instant of the samples, Unix ms. */
export const NOW = 1_763_683_200_000

/** A valve that reports every 10 s and may open from 5 to 95 %. */
export const sampleDevice = (over: Partial<Device> = {}): Device => ({
  id: 1,
  imei: '861234500000001',
  kind: 'valve',
  name: '1单元阀',
  model: 'HV-25',
  node: '00000000-0000-4000-8000-000000000001-L1-1单元',
  nestaddr: '集团,公司,东区,一号站,阳光小区,3号楼,1单元',
  periodS: 10,
  limits: { minPct: 5, maxPct: 95 },
  description: '',
  use: 'in-use',
  version: 1,
  abilities: ['control'],
  ...over,
})

/** Values of that valve, one second old. */
export const sampleState = (over: Partial<DeviceState> = {}): DeviceState => ({
  deviceId: 1,
  ts: NOW - 1_000,
  quality: 0,
  metrics: { 'valve.opening': 35, 'temp.supply': 48.2, 'temp.return': 37.9, 'heat.flow': 1.2 },
  ...over,
})

/** A command to that valve, just queued. */
export const sampleCommand = (over: Partial<Command> = {}): Command => ({
  id: '01JD0000000000000000000001',
  batchId: 'batch-1',
  deviceId: 1,
  deviceName: '1单元阀',
  nestaddr: '集团,公司,东区,一号站,阳光小区,3号楼,1单元',
  kind: 'valve.set',
  openingPct: 60,
  previousPct: 35,
  state: 'queued',
  priority: 'manual',
  resultCode: 0,
  actor: 'dispatcher',
  reason: '回水偏低',
  createdAt: NOW,
  updatedAt: NOW,
  expiresAt: NOW + MINUTE_MS,
  reached: { queued: NOW },
  ...over,
})

/** A batch of three such commands, two of them sent. */
export const sampleBatch = (over: Partial<CommandBatch> = {}): CommandBatch => ({
  id: '01JD000000000000000000BATCH',
  state: 'running',
  total: 3,
  counts: { queued: 1, sent: 2 },
  priority: 'manual',
  actor: 'dispatcher',
  reason: '回水偏低',
  createdAt: NOW,
  abilities: ['pause', 'cancel'],
  ...over,
})

/** A hold of the valve for one hour. */
export const sampleHold = (over: Partial<ValveHold> = {}): ValveHold => ({
  id: 5,
  deviceId: 1,
  deviceName: '1单元阀',
  nestaddr: '集团,公司,东区,一号站,阳光小区,3号楼,1单元',
  priority: 'manual',
  openingPct: 60,
  actor: 'dispatcher',
  reason: '防冻',
  since: NOW,
  until: NOW + HOUR_MS,
  ...over,
})
