import { valveResistance } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { FULLY_OPEN, openingForDrop } from './valve-opening.ts'

const DENSITY = 980
const CIRCUIT_S = 1_000
const linear = { kind: 'linear', kvs: flowCoefficient(16) } as const

test('a linear valve at half of its Kvs is half open', () => {
  const leftPa = (CIRCUIT_S + valveResistance(flowCoefficient(8), DENSITY)) * 1.2 ** 2
  expect(openingForDrop(linear, CIRCUIT_S, leftPa, 1.2, DENSITY)).toBeCloseTo(0.5, 9)
})

test('a valve is fully open if the loss of its circuit, alone or with the open valve, exceeds the head', () => {
  expect(openingForDrop(linear, CIRCUIT_S, CIRCUIT_S, 1, DENSITY)).toBe(FULLY_OPEN)
  expect(openingForDrop(linear, CIRCUIT_S, CIRCUIT_S / 2, 1, DENSITY)).toBe(FULLY_OPEN)
  const open = CIRCUIT_S + valveResistance(flowCoefficient(16), DENSITY)
  expect(openingForDrop(linear, CIRCUIT_S, 0.9 * open, 1, DENSITY)).toBe(FULLY_OPEN)
})

test('a valve is shut if its leakage exceeds the flow', () => {
  const points = [1, 4, 8, 12, 16].map(flowCoefficient)
  const leaking = { kind: 'learned', kvs: flowCoefficient(16), points } as const
  expect(openingForDrop(leaking, CIRCUIT_S, 1e9, 0.001, DENSITY)).toBe(0)
})

test('a valve opens further for a higher flow at the same head: twice the flow needs about a quarter of the resistance', () => {
  const at = (flowKgS: number) => openingForDrop(linear, 0, 10_000, flowKgS, DENSITY)
  expect(at(0.4) / at(0.2)).toBeCloseTo(2, 9)
  expect(at(1e-9)).toBeCloseTo(0, 6)
})
