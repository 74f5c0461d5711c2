import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, it } from 'vitest'
import type { ActiveRun } from './decide.ts'
import type { StepState } from './run-machine.ts'
import { toUsedM3 } from './under-way.ts'

const clock = { toLocal: (ms: number) => ms, toInstant: (ms: number) => ms }
const NOW = 40 * MINUTE_MS
/** A step of 10 m³/h that was opened at 0 and has watered for 40 minutes. */
const toRun = (state: ActiveRun['state'], stepState: StepState, durationS: number): ActiveRun => {
  const step = {
    id: 1,
    groupId: 1,
    valveIds: [1],
    flowM3H: 10,
    plannedMs: 0,
    durationS,
    delayS: 0,
    soakS: 0,
    state: stepState,
    openedMs: 0,
    closeDueMs: HOUR_MS,
    volumeM3: 20 / 3,
  }
  return { id: 1, state, together: false, steps: [step] }
}
const used = (run: ActiveRun) => toUsedM3([run], 20 / 3, clock, NOW).get(0)

it('reserves the whole rest of an interrupted step, whose time is what is left of it', () => {
  expect(used(toRun('paused', 'pending', 20 * 60))).toBeCloseTo(10, 9)
  expect(used(toRun('running', 'pending', 20 * 60))).toBeCloseTo(10, 9)
})

it('reserves the water of an open step until it is due to close', () => {
  expect(used(toRun('running', 'open', 3_600))).toBeCloseTo(10, 9)
  // It was shortened when it was opened.
  expect(used(toRun('running', 'open', 7_200))).toBeCloseTo(10, 9)
})
