import { openingRatio } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { type ActuatorSpec, advanceActuator, createActuator, startMove } from './valve-actuator.ts'

const spec: ActuatorSpec = { strokeS: 100, backlash: openingRatio(0.02), pace: { minMoveS: 10 } }

it('needs a quarter of its stroke time for a quarter of the travel', () => {
  const actuator = createActuator(spec, openingRatio(0.35))
  startMove(actuator, openingRatio(0.6), 1000)
  expect(advanceActuator(actuator, 1012.5)).toBe('moving')
  expect(actuator.position).toBeCloseTo(0.475, 9)
  expect(advanceActuator(actuator, 1025)).toBe('arrived')
  expect(actuator.position).toBe(0.6)
  expect(advanceActuator(actuator, 1026)).toBe('idle')
})

it('never moves faster than the shortest visible duration', () => {
  const actuator = createActuator(spec, openingRatio(0.5))
  startMove(actuator, openingRatio(0.51), 0)
  expect(advanceActuator(actuator, 9.9)).toBe('moving')
  expect(advanceActuator(actuator, 10)).toBe('arrived')
})

it('rounds to whole per cent', () => {
  const actuator = createActuator(spec, openingRatio(0))
  startMove(actuator, openingRatio(0.3349), 0)
  advanceActuator(actuator, 200)
  expect(actuator.position).toBe(0.33)
})

it('lets the stem lag by half the backlash after each move', () => {
  const actuator = createActuator(spec, openingRatio(0.5))
  startMove(actuator, openingRatio(0.8), 0)
  advanceActuator(actuator, 100)
  expect(actuator.stem).toBeCloseTo(0.79, 9)
  startMove(actuator, openingRatio(0.6), 200)
  advanceActuator(actuator, 300)
  expect(actuator.stem).toBeCloseTo(0.61, 9)
})

it('reverses from its present position when a new target comes', () => {
  const actuator = createActuator(spec, openingRatio(0.2))
  startMove(actuator, openingRatio(0.8), 0)
  advanceActuator(actuator, 30)
  expect(actuator.position).toBeCloseTo(0.5, 9)
  startMove(actuator, openingRatio(0.4), 30)
  expect(advanceActuator(actuator, 40)).toBe('arrived')
  expect(actuator.position).toBe(0.4)
})

it('reports a blocked motor and does not move', () => {
  const actuator = createActuator(spec, openingRatio(0.4))
  const stuck = { isStuck: true, grip: 1 }
  startMove(actuator, openingRatio(0.9), 0)
  expect(advanceActuator(actuator, 5, stuck)).toBe('moving')
  expect(advanceActuator(actuator, 40, stuck)).toBe('stalled')
  expect(actuator.position).toBe(0.4)
})

it('finishes at once if it is already at the target', () => {
  const actuator = createActuator({ ...spec, pace: { minMoveS: 0 } }, openingRatio(0.4))
  startMove(actuator, openingRatio(0.4), 0)
  expect(advanceActuator(actuator, 0)).toBe('arrived')
  expect([actuator.position, actuator.stem]).toEqual([0.4, 0.4])
})
