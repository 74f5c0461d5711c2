import { expect, test } from 'vitest'
import { toMode } from './modes.ts'

const checks = { everyHours: 6, trims: 0 } as const
const points = { cold: { outdoorC: -15, heatWM2: 45 }, mild: { outdoorC: 10, heatWM2: 15 } }

test.each([
  [{ kind: 'temperature', target: 'room', startAboveK: 1, ...checks }],
  [{ kind: 'energy', line: points, startAboveShare: 0.1, ...checks }],
  [{ kind: 'flow', startAboveShare: 0.1, ...checks }],
] as const)('campaigns of a strategy leave the pump alone on request: %j', (plan) => {
  expect(toMode({ ...plan, pump: 'keep' }, 0)).toMatchObject({ kind: plan.kind, pump: 'keep' })
  expect(toMode(plan, 0)).not.toHaveProperty('pump')
})
