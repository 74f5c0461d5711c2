import { seededRoles } from '@isotherm/contract/access/roles'
import { expect, test } from 'vitest'
import { mayHandle, toAlarmAbilities } from './policy.ts'

test('dispatchers, maintenance and administrators act on alarms; the service desk reads, and others have none', () => {
  const handling = Object.entries(seededRoles).flatMap(([role, permissions]) =>
    mayHandle({ permissions: new Set(permissions) }) ? [role] : [],
  )
  expect(handling).toEqual(['administrator', 'dispatcher', 'maintenance'])
  expect(seededRoles.service).toContain('pr-rtalarm')
})

test('nothing can be done with an alarm that has ended, and a known one is not acknowledged again', () => {
  const viewer = { permissions: new Set(seededRoles.maintenance), scope: { kind: 'all' } } as const
  expect(toAlarmAbilities(viewer, 'ended')).toEqual([])
  expect(toAlarmAbilities(viewer, 'active-acknowledged')).not.toContain('acknowledge')
  expect(toAlarmAbilities(viewer, 'cleared')).toContain('acknowledge')
})
