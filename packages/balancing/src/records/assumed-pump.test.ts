import { pumpHead } from '@isotherm/hydraulics/elements/pump'
import { kilogramPerSecond } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { assumePump } from './assumed-pump.ts'

test('an assumed pump has its present head at its present flow, and a quarter more without flow', () => {
  const assumed = assumePump(80_000, 12)
  if (assumed.kind !== 'fixed-speed') throw new Error(assumed.kind)
  const { pump, speed } = assumed
  expect(speed).toBe(1)
  expect(pumpHead(pump, kilogramPerSecond(12), speed)).toBeCloseTo(80_000, 6)
  expect(pumpHead(pump, kilogramPerSecond(0), speed)).toBeCloseTo(100_000, 6)
})
