import { expect, test } from 'vitest'
import { createToAccess } from './to-access.ts'

const grants = {
  accountId: 1,
  seesAll: false,
  seesCell: false,
  permissions: ['pe-fmreal', 'pr-rtreal'],
  paths: ['1.2'],
} as const

test('accounts with the same permissions share one set, in any order', () => {
  const toAccess = createToAccess()
  const first = toAccess({ ...grants, permissions: [...grants.permissions], paths: [] })
  const second = toAccess({
    ...grants,
    accountId: 2,
    permissions: grants.permissions.toReversed(),
    paths: [],
  })
  expect([...first.permissions]).toEqual(grants.permissions)
  expect(second.permissions).toBe(first.permissions)
  expect(toAccess({ ...grants, permissions: ['pr-rtreal'], paths: [] }).permissions).not.toBe(
    first.permissions,
  )
})

test('a deleted account has no access', () => {
  const { permissions, scope } = createToAccess()(undefined)
  expect([permissions.size, scope]).toEqual([0, { kind: 'paths', paths: [] }])
})
