import { permissions } from '@isotherm/contract/access/permissions'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { covers } from '../../../platform/scope/scope.ts'
import { refusal, startUsers, type TestUsers } from '../users.testkit.ts'

let users: TestUsers
let chief: Call

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('chief', permissions, ['p'])
  chief = await users.as('chief')
})
afterAll(() => users.close())

test('simultaneous changes of a parent and of its sub-account do not deadlock', async () => {
  const { parent, sub } = await users.registerPair(chief, 'p13', ['s1', 's2'], ['s1'])
  const { id } = sub
  for (let round = 0; round < 12; round += 1) {
    const version = await users.versionOf(id)
    const narrowed = await users.toChange(parent.id, round % 2 === 0 ? ['s1', 's2'] : ['s1'])
    await Promise.all([
      users.handlers.updateUserDevByTk(narrowed, chief),
      users.handlers.editUser({ id, version, secAccount: 'p13', name: `第${round}次` }, chief),
    ])
    const leaving = await users.register(chief, `p13-${round}`, {
      secAccount: 'p13',
      nodes: [await users.nodeKey('s1')],
    })
    const items = [{ id: leaving.id, version: leaving.version }]
    const [, deleted] = await Promise.allSettled([
      users.handlers.updateUserDevByTk(await users.toChange(parent.id, ['b2']), chief),
      users.handlers.deleteUsers({ items }, chief),
    ])
    // If the parent was narrowed first, the sub-account's version is stale.
    if (deleted.status === 'rejected') expect(deleted.reason).toEqual(refusal('entity.stale'))
  }
})

interface Step {
  readonly isOfParent: boolean
  readonly isReplaced: boolean
  readonly nodes: readonly string[]
  readonly devices: readonly string[]
}

test('after any sequence of grants and removals, also simultaneous ones, a sub-account never sees more than its parent', async () => {
  const { parent, sub } = await users.registerPair(chief, 'p12', ['s1'], ['s1'])
  const places = ['p', 'c', 's1', 'a1', 'b2', 'b10', 'b2u1', 's2', 'a2', 'b3'] as const
  const node = fc.constantFrom(...places)
  const device = fc.constantFrom('V-b2u1', 'R-b2u1', 'V-b10u1', 'C-b3')
  const step = fc.record({
    isOfParent: fc.boolean(),
    isReplaced: fc.boolean(),
    nodes: fc.uniqueArray(node, { maxLength: 3 }),
    devices: fc.uniqueArray(device, { maxLength: 2 }),
  })
  const apply = async ({ isOfParent, isReplaced, nodes, devices }: Step) => {
    const deviceIds = await Promise.all(devices.map((serial) => users.deviceId(serial)))
    const given = await users.toChange(isOfParent ? parent.id : sub.id, nodes, deviceIds)
    if (isReplaced) return users.handlers.updateUserDevByTk(given, chief)
    return users.handlers.insertUserDevByTk(given, chief)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
      async (rounds) => {
        for (const round of rounds) {
          for (const result of await Promise.allSettled(round.map(apply))) {
            if (result.status === 'fulfilled') continue
            expect(['account.beyond-yours', 'entity.stale']).toContain(result.reason.code)
          }
          const scope = { kind: 'paths' as const, paths: await users.listStored(parent.id) }
          for (const path of await users.listStored(sub.id)) expect(covers(scope, path)).toBe(true)
        }
      },
    ),
    { numRuns: 15 },
  )
})
