import type { Backend } from '@isotherm/contract/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestPublicCall } from '../../../platform/http/call.testkit.ts'
import { createLog } from '../../../platform/log.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { endSessions } from '../end-sessions.pg.ts'
import { createSessionQueries } from '../queries.pg.ts'
import { createSealer } from '../second-factor/sealed.ts'
import { createSecondFactors } from '../second-factor/second-factor.ts'
import { createSessionService } from '../service.ts'
import { hashPassword, toClientHash } from './passwords.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

/** Sign-ins in which `meanwhile` runs completely, just after the account was read. */
function createMeanwhile(meanwhile: () => Promise<unknown>) {
  const queries = createSessionQueries(core.db, { withDemo: true })
  const { network, signals, clock } = core
  return createSessionService({
    network,
    signals,
    clock,
    log: createLog({ logLevel: 'silent' }),
    attempts: { start: async () => ({ succeed: async () => undefined, forgive: async () => undefined }) },
    factors: createSecondFactors({ db: core.db, clock, sealer: createSealer(core.config.mqtt.secret) }),
    queries: {
      ...queries,
      async findAccount(account) {
        const found = await queries.findAccount(account)
        await meanwhile()
        return found
      },
    },
  })
}

const reset = (id: number, password: string) =>
  core.db.transaction().execute(async (transaction) => {
    const hash = await hashPassword(toClientHash(password))
    await transaction.updateTable('account').set({ password_hash: hash }).where('id', '=', id).execute()
    await endSessions(transaction, { accountIds: [id] }, core.clock.now())
  })

const countOpen = async (id: number): Promise<number> => {
  const open = core.db.selectFrom('session').select('id').where('account_id', '=', id)
  return (await open.where('ended_at', 'is', null).execute()).length
}

const credentials = { username: 'li', password: toClientHash('li') }
const refused = expect.objectContaining({ code: 'session.bad-credentials' })

test('a sign-in opens no session if the password is reset during its check', async () => {
  const id = await core.createAccount('li', [], [])
  const session = createMeanwhile(() => reset(id, 'another'))
  const backends: readonly Backend[] = ['usr-cloud', 'ht-api']
  for (const backend of backends) {
    await expect(session.login(backend, credentials, createTestPublicCall())).rejects.toEqual(refused)
    await reset(id, 'li')
  }
  expect(await countOpen(id)).toBe(0)
})

test('such a sign-in does not join a session of the new password in the same browser', async () => {
  const id = await core.createAccount('wang', [], [])
  const call = createTestPublicCall({ browser: 'shared' })
  const session = createMeanwhile(async () => {
    await reset(id, 'another')
    await core.session.login('usr-cloud', { username: 'wang', password: toClientHash('another') }, call)
  })
  const own = { username: 'wang', password: toClientHash('wang') }
  await expect(session.login('ht-api', own, call)).rejects.toEqual(refused)
  expect(await countOpen(id)).toBe(1)
})

test('a sign-in during a disabling waits for it and opens no session', async () => {
  const id = await core.createAccount('zhao', [], [])
  const own = { username: 'zhao', password: toClientHash('zhao') }
  const login = await core.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('account').set({ enabled: false }).where('id', '=', id).execute()
    const isChecked = Promise.withResolvers<void>()
    const session = createMeanwhile(async () => isChecked.resolve())
    const result = session.login('usr-cloud', own, createTestPublicCall()).then(
      () => 'open',
      (error: unknown) => error,
    )
    await isChecked.promise
    await endSessions(transaction, { accountIds: [id] }, core.clock.now())
    return { result }
  })
  expect(await login.result).toEqual(refused)
  expect(await countOpen(id)).toBe(0)
})
