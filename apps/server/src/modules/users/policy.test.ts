import type { Permission } from '@isotherm/contract/access/permissions'
import { expect, test } from 'vitest'
import { createTestCaller } from '../../platform/http/call.testkit.ts'
import { toUserAbilities } from './policy.ts'
import { listKinds } from './queries/managed.pg.ts'

const callerWith = (permissions: readonly Permission[], companyId?: number) =>
  createTestCaller({ accountId: 1, companyId, permissions: new Set(permissions) })

test('provider staff manages provider accounts only with their page, and staff of a company never does', () => {
  expect(listKinds(callerWith(['ps-htusersys']))).toEqual(['provider'])
  expect(listKinds(callerWith(['pu-usersetting']))).toEqual(['company'])
  expect(listKinds(callerWith(['ps-usersys', 'ps-htusersys']))).toEqual(['company', 'provider'])
  expect(listKinds(callerWith(['ps-usersys', 'ps-htusersys'], 7))).toEqual(['company'])
  expect(listKinds(callerWith([]))).toEqual([])
})

test('callers edit themselves and end their own sessions, but do not change their own rights', () => {
  const own = { id: 1, kind: 'company', isManaged: true } as const
  expect(toUserAbilities(callerWith(['pu-usersetting']), own)).toEqual(['edit', 'end-sessions'])
})

test('callers change a managed account if they have the page of its kind', () => {
  const other = { id: 2, kind: 'company', isManaged: true } as const
  const caller = callerWith(['pu-usersetting'])
  expect(toUserAbilities(caller, other)).toEqual([
    'edit',
    'enable',
    'remove',
    'reset-password',
    'give-roles',
    'grant',
    'end-sessions',
  ])
  expect(toUserAbilities(caller, { ...other, isManaged: false })).toEqual([])
  expect(toUserAbilities(caller, { ...other, kind: 'provider' })).toEqual([])
})
