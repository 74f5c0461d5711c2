import { seededRoles } from '@isotherm/contract/access/roles'
import { expect, test } from 'vitest'
import { mayHandle, toAlarmAbilities } from './policy.ts'

test('dispatchers, maintenance and administrators handle alarms; the service desk reads them; others have no access', () => {
  const handling = Object.entries(seededRoles).flatMap(([role, permissions]) =>
    mayHandle({ permissions: new Set(permissions) }) ? [role] : [],
  )
  expect(handling).toEqual(['administrator', 'dispatcher', 'maintenance'])
  expect(seededRoles.service).toContain('pr-rtalarm')
})

test('an ended alarm allows no action, and an acknowledged one is not acknowledged again', () => {
  const viewer = { permissions: new Set(seededRoles.maintenance), scope: { kind: 'all' } } as const
  expect(toAlarmAbilities(viewer, 'ended')).toEqual([])
  expect(toAlarmAbilities(viewer, 'active-acknowledged')).not.toContain('acknowledge')
  expect(toAlarmAbilities(viewer, 'cleared')).toContain('acknowledge')
})
