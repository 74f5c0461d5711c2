import { expect, test } from 'vitest'
import { mayControl, requireControl, toAbilities, type Viewer } from './policy.ts'

const viewer = {
  permissions: new Set(['pe-fmcontrol', 'pe-flowmonitor']),
  scope: { kind: 'paths', paths: ['/1/4/'] },
} as const satisfies Viewer
const campaign = {
  mode: { kind: 'flow' },
  state: 'executing',
  plannedAt: 0,
  isReadable: true,
  nodePath: '/1/4/12/',
} as const

test('a balance needs control of valves and the page of its kind', () => {
  expect(mayControl(viewer, 'flow')).toBe(true)
  expect(mayControl(viewer, 'energy')).toBe(false)
  expect(mayControl({ permissions: new Set(['pe-flowmonitor']) }, 'flow')).toBe(false)
  expect(() => requireControl(viewer, 'flow')).not.toThrow()
  expect(() => requireControl(viewer, 'energy')).toThrow('access.denied')
})

test('a campaign outside of the grants, or of another kind, allows no action', () => {
  expect(toAbilities(viewer, campaign, 0).sort()).toEqual(['pause', 'rollback'])
  expect(toAbilities(viewer, { ...campaign, nodePath: '/1/' }, 0)).toEqual([])
  expect(toAbilities(viewer, { ...campaign, mode: { kind: 'energy', heatWM2: 40 } }, 0)).toEqual([])
})
