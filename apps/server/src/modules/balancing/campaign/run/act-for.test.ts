import { expect, test } from 'vitest'
import { type FindAccess, reader } from '../../../../platform/caller-of-account.ts'
import { actFor, type Mandate, toOperation } from './act-for.ts'

const mandate: Mandate = {
  id: 12,
  accountId: 3,
  account: 'zhao',
  mode: { kind: 'flow' },
  nodePath: '/1/4/12/',
  operation: 'campaign',
}
const access = {
  companyId: 1,
  permissions: new Set(['pe-fmcontrol', 'pe-flowmonitor'] as const),
  scope: { kind: 'paths', paths: ['/1/4/'] },
} as const satisfies Awaited<ReturnType<FindAccess>>
const actWith = (found: Awaited<ReturnType<FindAccess>>, given = mandate) =>
  actFor(async () => found, given, 1_000)

test('a campaign acts in the name of its account, with the present permissions of the account', async () => {
  const call = await actWith(access)
  expect(call?.caller).toMatchObject({ accountId: 3, account: 'zhao', ...access })
  expect(call?.operation).toMatchObject({
    endpoint: 'campaign',
    accountId: 3,
    account: 'zhao',
    companyId: 1,
    at: 1_000,
    input: { id: 12 },
  })
})

test.each([
  ['deleted or disabled', undefined],
  ['without control of valves', { ...access, permissions: new Set(['pe-flowmonitor'] as const) }],
  ['without a grant on the node', { ...access, scope: { kind: 'paths', paths: ['/1/5/'] } as const }],
])('a campaign of an account that is %s does not act', async (_name, found) => {
  expect(await actWith(found)).toBeUndefined()
})

test('a campaign without an account does not act, even if somebody has access', async () => {
  expect(await actWith(access, { ...mandate, accountId: null })).toBeUndefined()
  expect(toOperation({ ...mandate, accountId: null }, 1, 0).accountId).toBeUndefined()
})

test('the reader of commands may do nothing', () => {
  expect([...reader.permissions]).toEqual([])
})
