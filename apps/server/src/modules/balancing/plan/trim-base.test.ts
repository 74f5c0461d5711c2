import { NO_MEMORY } from '@isotherm/balancing/step/step-memory'
import { expect, test } from 'vitest'
import type { LoopConsumer } from '../loop/loop.ts'
import type { RoundMemory } from './round-memory.ts'
import { narrowToSpan, toTrimMemory } from './trim-base.ts'

const loopOf = (...ids: number[]) => ({
  consumers: ids.map(
    (deviceId): LoopConsumer => ({
      deviceId,
      deviceName: `V${deviceId}`,
      model: 'v',
      level: 1,
      node: `n${deviceId}`,
      nestaddr: '',
      path: `1/${deviceId}/`,
      periodS: 300,
      areaM2: 100,
      minPct: 0,
      maxPct: 100,
      maxStepPct: null,
      rooms: [],
      emitter: 'radiator',
    }),
  ),
})
const pct = (...values: number[]): Float64Array => Float64Array.from(values)

/** State that a balance by the model left, or a slow trim with `trim`. */
const memoryOf = (trim?: RoundMemory['trim']): RoundMemory => ({
  devices: [1, 2, 3],
  step: NO_MEMORY,
  openings: [0.5, 0.6, 0.7],
  reportedPct: [50, 60, 70],
  moves: [],
  isTrim: false,
  rooms: { measured: [], cold: [] },
  ...(trim ? { trim } : {}),
})

test('starts at the openings of the last balance, and continues the state of the last slow trim', () => {
  const loop = loopOf(1, 2, 3)
  const first = toTrimMemory({ memory: memoryOf(), days: 1.5 }, loop, pct(50, 60, 70))
  expect(first).toEqual({ base: pct(0.5, 0.6, 0.7), integralKd: pct(0, 0, 0), days: 1.5 })
  const left = { base: [0.48, 0.65, 0.7], integralKd: [-1, 2, 0] }
  const later = toTrimMemory({ memory: memoryOf(left), days: 30 }, loop, pct(50.4, 60, 69))
  expect(later).toEqual({ base: pct(0.48, 0.65, 0.7), integralKd: pct(-1, 2, 0), days: 3 })
})

test('waits a day after a campaign', () => {
  expect(toTrimMemory({ memory: memoryOf(), days: 0.99 }, loopOf(1, 2, 3), pct(50, 60, 70))).toBeUndefined()
})

test('starts again for a new valve or one that somebody moved, and keeps the state of the others', () => {
  const left = { base: [0.48, 0.65, 0.7], integralKd: [-1, 2, 3] }
  const found = toTrimMemory({ memory: memoryOf(left), days: 1 }, loopOf(3, 9, 1), pct(70, 40, 55))
  expect(found).toEqual({ base: pct(0.7, 0.4, 0.55), integralKd: pct(3, 0, 0), days: 1 })
})

test('moves no valve further than 10 % from its base, in whole per cent', () => {
  const trim = { base: pct(0.5, 0.604, 0.05), integralKd: pct(0, 0, 0), days: 1 }
  const wide = { min: pct(0, 0, 0.02), max: pct(1, 0.65, 1) }
  const { min, max } = narrowToSpan(wide, trim)
  expect([...min]).toEqual([0.4, 0.51, 0.02])
  expect([...max]).toEqual([0.6, 0.65, 0.15])
})
