import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestPublicCall } from '../../../platform/http/call.testkit.ts'
import type { Call } from '../../../platform/http/call.ts'
import { createUsers } from '../index.ts'
import { refusal, startUsers, type TestUsers, toGiven, toNext, toPassword } from '../users.testkit.ts'

let users: TestUsers
let chief: Call
const resetTo = toGiven('管理员给的新密码，很长')
const next = toNext('自己想要的新密码，很长')

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('chief', permissions, ['p'])
  chief = await users.as('chief')
})
afterAll(() => users.close())

/** Changes a password. `meanwhile` runs between the check of the old password and the change. */
const changeWhile = (account: string, meanwhile: () => Promise<unknown>) => {
  const { session } = users
  const handlers = createUsers({
    ...users,
    session: {
      async verify(credentials, call, isAllowed) {
        const checked = await session.verify(credentials, call, isAllowed)
        await meanwhile()
        return checked
      },
    },
  })
  const input = { username: account, password: toPassword(account), ...next }
  return handlers.changePassword(input, createTestPublicCall())
}

const hashOf = async (id: number): Promise<string> => {
  const found = users.db.selectFrom('account').select('password_hash').where('id', '=', id)
  return (await found.executeTakeFirstOrThrow()).password_hash
}

test('a running change of a password does not undo a reset', async () => {
  const { id, version } = await users.register(chief, 'reset')
  let hash = ''
  const changing = changeWhile('reset', async () => {
    await users.handlers.resetPassword({ uid: id, version, ...resetTo }, chief)
    hash = await hashOf(id)
  })
  await expect(changing).rejects.toEqual(refusal('session.bad-credentials'))
  expect(await hashOf(id)).toBe(hash)
})

test('a running change of a password does not change an account that is disabled meanwhile', async () => {
  const { id, version } = await users.register(chief, 'disabled')
  const hash = await hashOf(id)
  const changing = changeWhile('disabled', () =>
    users.handlers.editUserEnableState({ id, version, state: 0 }, chief),
  )
  await expect(changing).rejects.toEqual(refusal('session.bad-credentials'))
  expect(await hashOf(id)).toBe(hash)
})
