import type { EmitterKind } from '@isotherm/contract/network/emitters'
import type { LoopConsumer } from './loop.ts'

/** A consumer of 500 m² with an emitter. */
export const toConsumer = (deviceId: number, emitter: EmitterKind): LoopConsumer => ({
  deviceId,
  deviceName: 'V',
  model: '',
  node: '1',
  nestaddr: '',
  path: `/1/${deviceId}/`,
  level: 7,
  periodS: 600,
  minPct: null,
  maxPct: null,
  maxStepPct: null,
  areaM2: 500,
  emitter,
  rooms: [],
})
