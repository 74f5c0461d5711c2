import { seededRoles } from '@isotherm/contract/access/roles'
import { expect, test } from 'vitest'
import { mayHandle, requireHandling, toAbilitiesAt, toAlarmAbilities } from './policy.ts'

test('dispatchers, maintenance and administrators handle alarms; the service desk reads them; others have no access', () => {
  const handling = Object.entries(seededRoles).flatMap(([role, permissions]) =>
    mayHandle({ permissions: new Set(permissions) }) ? [role] : [],
  )
  expect(handling).toEqual(['administrator', 'dispatcher', 'maintenance'])
  expect(seededRoles.service).toContain('pr-rtalarm')
})

const viewer = { permissions: new Set(seededRoles.maintenance), scope: { kind: 'all' } } as const
const reader = { ...viewer, permissions: new Set(seededRoles.service) }

test('an account without the right is refused to handle alarms', () => {
  expect(() => requireHandling(viewer)).not.toThrow()
  expect(() => requireHandling(reader)).toThrow('access.denied')
})

test('an ended alarm allows no action, and an acknowledged one is not acknowledged again', () => {
  expect(toAlarmAbilities(viewer, 'ended')).toEqual([])
  expect(toAlarmAbilities(viewer, 'active-acknowledged')).toEqual(['assign', 'comment', 'close'])
  expect(toAlarmAbilities(viewer, 'cleared')).toEqual(['acknowledge', 'assign', 'comment', 'close'])
  expect(toAlarmAbilities(reader, 'active')).toEqual([])
})

test('an account that handles alarms changes rules only where its grants are', () => {
  const local = { ...viewer, scope: { kind: 'paths', paths: ['/1/4/'] } } as const
  expect(toAbilitiesAt(local, '/1/4/12/', ['edit', 'delete'])).toEqual(['edit', 'delete'])
  expect(toAbilitiesAt(local, '/1/', ['edit'])).toEqual([])
  expect(toAbilitiesAt(reader, '/1/4/', ['edit'])).toEqual([])
})
