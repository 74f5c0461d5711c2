import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { createSensor, FLOW, PIPE_TEMPERATURE } from './sensor.ts'

it('shows tenths, off by the same small amount each time', () => {
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

it('errs by one to two per cent of flow', () => {
  const noise = createRandom(1)
  const identity = createRandom(2)
  const errors = Array.from({ length: 400 }, () => Math.abs(createSensor(FLOW, identity, noise)(10) / 10 - 1))
  const rms = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
  expect(rms).toBeGreaterThan(0.008)
  expect(rms).toBeLessThan(0.02)
})
