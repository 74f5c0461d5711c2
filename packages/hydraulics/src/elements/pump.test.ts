import { kilogramPerSecond, pascal } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { operatingFlow, pumpHead, pumpPower, pumpThrough, speedFor } from './pump.ts'

const pump = pumpThrough(pascal(300_000), pascal(200_000), kilogramPerSecond(20))

it('passes through its duty point', () => {
  expect(pumpHead(pump, kilogramPerSecond(20), 1)).toBeCloseTo(200_000, 6)
  expect(pumpHead(pump, kilogramPerSecond(0), 1)).toBe(300_000)
})

it('finds the operating point of a network that takes 20 kg/s at 200 kPa', () => {
  expect(operatingFlow(pump, 1, 20 / Math.sqrt(200_000))).toBeCloseTo(20, 9)
})

it('obeys affinity: half speed gives half the flow and a quarter of the head', () => {
  const flow = operatingFlow(pump, 0.5, 20 / Math.sqrt(200_000))
  expect(flow).toBeCloseTo(10, 9)
  expect(pumpHead(pump, flow, 0.5)).toBeCloseTo(50_000, 5)
})

it('delivers nothing into a shut network or at standstill', () => {
  expect(operatingFlow(pump, 1, 0)).toBe(0)
  expect(operatingFlow(pump, 0, 1)).toBe(0)
  expect(operatingFlow(pump, 1, -1)).toBe(0)
  expect(operatingFlow(pump, -1, 1)).toBe(0)
})

it('solves the quadratic with a linear term: h0 10, h1 1, h2 1, G 1 gives 2ṁ² − ṁ − 10 = 0, ṁ = 2.5', () => {
  expect(operatingFlow({ h0: 10, h1: 1, h2: 1 }, 1, 1)).toBeCloseTo(2.5, 12)
})

it('obeys affinity with a linear term too: half speed gives 1.25 kg/s', () => {
  expect(operatingFlow({ h0: 10, h1: 1, h2: 1 }, 0.5, 1)).toBeCloseTo(1.25, 12)
})

it('adds the linear term to the head: 10 + 2.5 − 6.25 = 6.25 Pa at 2.5 kg/s, a quarter at half flow and half speed', () => {
  const steep = { h0: 10, h1: 1, h2: 1 }
  expect(pumpHead(steep, kilogramPerSecond(2.5), 1)).toBeCloseTo(6.25, 12)
  expect(pumpHead(steep, kilogramPerSecond(1.25), 0.5)).toBeCloseTo(6.25 / 4, 12)
})

it('has no head below zero beyond its run-out flow', () => {
  // 300 kPa − 250·ṁ² is zero at 34.6 kg/s.
  expect(pumpHead(pump, kilogramPerSecond(34), 1)).toBeGreaterThan(0)
  expect(pumpHead(pump, kilogramPerSecond(35), 1)).toBe(0)
})

it('needs 6.67 kW for 200 kPa, 20 kg/s, 1000 kg/m³ at 60 %', () => {
  expect(pumpPower(pascal(200_000), kilogramPerSecond(20), 1000, 0.6)).toBeCloseTo(6666.67, 1)
})

it('finds the speed that gives a head at a flow: h0 10, h1 1, h2 1 gives 6.25 at 2.5 kg/s and speed 1', () => {
  const steep = { h0: 10, h1: 1, h2: 1 }
  expect(speedFor(steep, pumpHead(steep, kilogramPerSecond(2.5), 1), 2.5)).toBeCloseTo(1, 12)
  expect(speedFor(pump, pumpHead(pump, kilogramPerSecond(12), 0.7), 12)).toBeCloseTo(0.7, 12)
})
