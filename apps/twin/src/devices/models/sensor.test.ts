import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { createFlowSensor, createSensor, PIPE_TEMPERATURE } from './sensor.ts'

it('shows tenths, with a constant small offset', () => {
  const quiet = { ...PIPE_TEMPERATURE, noise: 0 }
  const sensor = createSensor(quiet, createRandom(3), createRandom(4))
  const shown = sensor(40)
  expect(shown).toBe(Number(shown.toFixed(1)))
  expect(sensor(40)).toBe(shown)
  expect(Math.abs(shown - 40)).toBeLessThan(0.6)
})

it('has the same offset after a restart', () => {
  const quiet = { ...PIPE_TEMPERATURE, noise: 0 }
  expect(createSensor(quiet, createRandom(3), createRandom(4))(40)).toBe(
    createSensor(quiet, createRandom(3), createRandom(99))(40),
  )
})

const errorsAt = (flowM3H: number): number[] => {
  const identity = createRandom(2)
  const noise = createRandom(1)
  return Array.from({ length: 400 }, () =>
    Math.abs(createFlowSensor(10, identity, noise)(flowM3H) / flowM3H - 1),
  )
}
const rms = (errors: readonly number[]): number =>
  Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)

it('measures flow in class 2: error 1 % at permanent flow, 2 % at a hundredth of it, never more than 5 %', () => {
  expect(rms(errorsAt(10))).toBeGreaterThan(0.008)
  expect(rms(errorsAt(10))).toBeLessThan(0.012)
  expect(rms(errorsAt(0.1))).toBeGreaterThan(0.016)
  expect(rms(errorsAt(0.1))).toBeLessThan(0.024)
  // Twice the typical error, the noise of a reading and half a step on top.
  expect(Math.max(...errorsAt(0.1))).toBeLessThan(0.05 + 0.012 + 0.005)
})

it('shows no flow below its starting flow', () => {
  expect(createFlowSensor(10, createRandom(2), createRandom(1))(0.03)).toBe(0)
})

it('shows 0, not NaN, for a design flow of 0', () => {
  const flow = createFlowSensor(0, createRandom(2), createRandom(1))
  expect(flow(0)).toBe(0)
  expect(flow(0.5)).toBeCloseTo(0.5, 1)
})
