import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestPublicCall } from '../../../platform/http/call.testkit.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { createSession } from '../index.ts'
import { toClientHash } from './passwords.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const callFrom = (address: string) => createTestPublicCall({ address })
const logIn = (account: string, password: string, address: string) =>
  core.session.login('usr-cloud', { username: account, password: toClientHash(password) }, callFrom(address))
const refusal = (code: string) => expect.objectContaining({ code })
const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'signed in',
    (error: { code: string }) => error.code,
  )

test('guessing is slowed with growing waits, and not from the user’s own address', async () => {
  await core.createAccount('zhao', [], [])
  const guess = () => logIn('zhao', 'guess', '10.6.6.6')
  for (let attempt = 1; attempt <= 5; attempt++) {
    await expect(guess()).rejects.toEqual(refusal('session.bad-credentials'))
  }
  await expect(guess()).rejects.toMatchObject({ code: 'session.slowed', params: { retryAfterS: 1 } })
  core.clock.advance(1_000)
  await expect(guess()).rejects.toEqual(refusal('session.bad-credentials'))
  await expect(logIn('zhao', 'zhao', '10.6.6.6')).rejects.toMatchObject({ params: { retryAfterS: 2 } })
  expect((await logIn('zhao', 'zhao', '10.0.0.9')).token).toBeTruthy()
  core.clock.advance(2_000)
  expect((await logIn('zhao', 'zhao', '10.6.6.6')).token).toBeTruthy()
  await expect(guess()).rejects.toEqual(refusal('session.bad-credentials'))
})

test('simultaneous guesses get no further than sequential ones', async () => {
  await core.createAccount('qian', [], [])
  const guesses = Array.from({ length: 20 }, () => logIn('qian', 'guess', '10.6.6.7'))
  const outcomes = await Promise.allSettled(guesses)
  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
  expect(codes.filter((code) => code === 'session.bad-credentials')).toHaveLength(5)
  expect(codes.filter((code) => code === 'session.slowed')).toHaveLength(15)
})

test('one address that tries many accounts is slowed', async () => {
  const codes: unknown[] = []
  for (let index = 0; index < 31; index++) {
    await logIn(`account-${index}`, 'guess', '10.6.6.8').catch((error: { code: string }) =>
      codes.push(error.code),
    )
  }
  expect(codes.slice(0, 30).every((code) => code === 'session.bad-credentials')).toBe(true)
  expect(codes.at(-1)).toBe('session.slowed')
})

test('the wait survives a restart', async () => {
  await core.createAccount('sun', [], [])
  for (let attempt = 1; attempt <= 5; attempt++)
    await logIn('sun', 'guess', '10.6.6.9').catch(() => undefined)
  const { db, network, signals, clock, log, config } = core
  const restarted = await createSession({
    db,
    network,
    signals,
    clock,
    log,
    mode: 'demo',
    secret: config.factorSecret,
  })
  const answer = restarted.login(
    'usr-cloud',
    { username: 'sun', password: toClientHash('sun') },
    callFrom('10.6.6.9'),
  )
  await expect(answer).rejects.toEqual(refusal('session.slowed'))
})

test('failures of other accounts do not slow an account at its known address', async () => {
  await core.createAccount('wu', [], [])
  await core.createAccount('zheng', [], [])
  expect(await codeOf(logIn('wu', 'wu', '10.8.0.1'))).toBe('signed in')
  for (let index = 0; index < 30; index++) await codeOf(logIn(`neighbour-${index}`, 'guess', '10.8.0.1'))
  expect(await codeOf(logIn('zheng', 'zheng', '10.8.0.1'))).toBe('session.slowed')
  expect(await codeOf(logIn('wu', 'wu', '10.8.0.1'))).toBe('signed in')
})

test('many machines that guess one account are slowed together, but not its owner at a known address', async () => {
  await core.createAccount('feng', [], [])
  expect(await codeOf(logIn('feng', 'feng', '10.9.0.1'))).toBe('signed in')
  const codes: unknown[] = []
  for (let index = 0; index <= 100; index++)
    codes.push(await codeOf(logIn('feng', 'guess', `10.10.0.${index}`)))
  expect(new Set(codes.slice(0, 100))).toEqual(new Set(['session.bad-credentials']))
  expect(codes.at(-1)).toBe('session.slowed')
  expect(await codeOf(logIn('feng', 'feng', '10.11.0.1'))).toBe('session.slowed')
  expect(await codeOf(logIn('feng', 'feng', '10.9.0.1'))).toBe('signed in')
})

test('guesses from a known address are slowed like from any other', async () => {
  await core.createAccount('chen', [], [])
  expect(await codeOf(logIn('chen', 'chen', '10.9.0.2'))).toBe('signed in')
  for (let attempt = 1; attempt <= 5; attempt++) await codeOf(logIn('chen', 'guess', '10.9.0.2'))
  expect(await codeOf(logIn('chen', 'chen', '10.9.0.2'))).toBe('session.slowed')
})

test('at a known address waits grow and expire as elsewhere, also for simultaneous guesses', async () => {
  await core.createAccount('he', [], [])
  const guess = () => codeOf(logIn('he', 'guess', '10.9.0.4'))
  expect(await codeOf(logIn('he', 'he', '10.9.0.4'))).toBe('signed in')
  const codes = await Promise.all(Array.from({ length: 12 }, guess))
  expect(codes.filter((code) => code === 'session.bad-credentials')).toHaveLength(5)
  expect(codes.filter((code) => code === 'session.slowed')).toHaveLength(7)
  for (const retryAfterS of [1, 2, 4]) {
    await expect(logIn('he', 'he', '10.9.0.4')).rejects.toMatchObject({ params: { retryAfterS } })
    core.clock.advance(retryAfterS * 1_000)
    expect(await guess()).toBe('session.bad-credentials')
  }
  core.clock.advance(3_601_000)
  for (let attempt = 1; attempt <= 5; attempt++) expect(await guess()).toBe('session.bad-credentials')
  expect(await guess()).toBe('session.slowed')
})

test('a sign-in to an own account does not clear the failures of the address', async () => {
  await core.createAccount('chu', [], [])
  for (let round = 0; round < 30; round++) {
    await codeOf(logIn('chu', 'chu', '10.9.0.3'))
    await codeOf(logIn(`victim-${round}`, 'guess', '10.9.0.3'))
  }
  expect(await codeOf(logIn('victim', 'guess', '10.9.0.3'))).toBe('session.slowed')
})

test('a known address is forgotten thirty days after the last sign-in', async () => {
  await core.createAccount('wei', [], [])
  expect(await codeOf(logIn('wei', 'wei', '10.8.0.2'))).toBe('signed in')
  core.clock.advance(30 * DAY_MS)
  for (let index = 0; index < 30; index++) await codeOf(logIn(`other-${index}`, 'guess', '10.8.0.2'))
  expect(await codeOf(logIn('wei', 'wei', '10.8.0.2'))).toBe('session.slowed')
})

test('addresses of one IPv6 /64 count as one, those of the next do not', async () => {
  await core.createAccount('jiang', [], [])
  for (let host = 1; host <= 5; host++) await codeOf(logIn('jiang', 'guess', `2001:db8:1:2::${host}`))
  expect(await codeOf(logIn('jiang', 'jiang', '2001:db8:1:2:ffff::9'))).toBe('session.slowed')
  expect(await codeOf(logIn('jiang', 'jiang', '2001:db8:1:3::1'))).toBe('signed in')
})

test('outdated failures are deleted, even if no sign-in succeeds', async () => {
  await codeOf(logIn('nobody', 'guess', '10.12.0.1'))
  const count = async () =>
    (await core.db.selectFrom('login_attempt').select('key').where('key', 'like', '%10.12.0.1%').execute())
      .length
  expect(await count()).toBe(2)
  core.clock.advance(61 * MINUTE_MS)
  await codeOf(logIn('nobody', 'guess', '10.12.0.2'))
  await expect.poll(count).toBe(0)
})

test('a sign-in neither waits for the sweep nor deadlocks with it, for any number of rows', async () => {
  const old = new Date(core.clock.now())
  core.clock.advance(2 * HOUR_MS)
  await sql`insert into login_attempt select 'old ' || i, 1, ${old}::timestamptz, ${old}::timestamptz
    from generate_series(1, 2500) i`.execute(core.db)
  await sql`insert into login_known select 'old ' || i, '10.13.0.1', ${new Date(0)}::timestamptz
    from generate_series(1, 1500) i`.execute(core.db)
  const countOld = async (table: string): Promise<unknown> => {
    const column = table === 'login_known' ? 'account' : 'key'
    const { rows } = await sql`select count(*)::int as old from ${sql.table(table)}
      where ${sql.ref(column)} like 'old %'`.execute(core.db)
    return rows[0]
  }
  await core.db.transaction().execute(async (transaction) => {
    // Locks rows like a sign-in. It would wait for rows that the sweep locks at the same time.
    await sql`select from login_attempt where key = 'old 1200' for update`.execute(transaction)
    expect(await codeOf(logIn('nobody', 'guess', '10.13.0.1'))).toBe('session.bad-credentials')
    await expect.poll(() => countOld('login_attempt')).toEqual({ old: 1 })
  })
  await expect.poll(() => countOld('login_known')).toEqual({ old: 0 })
})
