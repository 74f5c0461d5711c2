import { expect, it } from 'vitest'
import { capacityShare, resistanceOfKv } from './valve-body.ts'

it('has the shape of its kind', () => {
  // 40^(−½) = 0.1581.
  expect(capacityShare({ shape: 'equal', ratio: 40 }, 0.5)).toBeCloseTo(0.1581, 4)
  expect(capacityShare({ shape: 'linear', ratio: 40 }, 0.5)).toBe(0.5)
  expect(capacityShare({ shape: 'ball', ratio: 40 }, 0.5)).toBe(0.75)
})

it('is open at one and nearly tight at zero in every kind', () => {
  for (const shape of ['equal', 'linear', 'ball'] as const) {
    expect(capacityShare({ shape, ratio: 40 }, 1)).toBeCloseTo(1, 12)
    expect(capacityShare({ shape, ratio: 40 }, 0)).toBe(1e-4)
  }
})

it('loses one bar at the volume flow of its capacity', () => {
  // Kv 10 m³/h of water of 990.2 kg/m³ are 2.7506 kg/s: 99,020 Pa / 2.7506² = 13,088 Pa/(kg/s)².
  expect(resistanceOfKv(10)).toBeCloseTo(13_088, -1)
})
