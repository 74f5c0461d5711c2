import { permissions } from '@isotherm/contract/access/permissions'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { toClientHash } from '../sign-in/passwords.ts'
import { hashToken } from '../sign-in/tokens.ts'
import { toCode } from './authenticator.testkit.ts'

const STEP_MS = 30_000

let server: TestServer
let accounts = 0
beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('chief', permissions, [], 'provider')
})
afterAll(() => server.stop())

type Name = keyof typeof endpoints
/** A browser of its own: it stores the cookie that joins the logins to both backends. */
function openBrowser() {
  let Cookie = ''
  return async (name: Name, input: unknown, token?: string): Promise<Answer> => {
    const answer = await server.call(endpoints[name], input, token, Cookie === '' ? {} : { Cookie })
    Cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? Cookie
    return answer
  }
}

/** An account with a second factor, and the codes that its app shows: each call goes one time step on. */
async function enrol() {
  accounts += 1
  const account = `factor-${accounts}`
  const id = await server.createAccount(account, [], ['p'])
  const credentials = { username: account, password: toClientHash(account) }
  const browser = openBrowser()
  const { secret } = endpoints.startSecondFactor.output.parse(
    (await browser('startSecondFactor', credentials)).data,
  )
  const codeAt = (steps: number) => toCode(secret, Date.now() + steps * STEP_MS)
  const confirmed = await browser('confirmSecondFactor', { ...credentials, code: codeAt(-1) })
  const { recoveryCodes } = endpoints.confirmSecondFactor.output.parse(confirmed.data)
  return { account, id, credentials, browser, secret, codeAt, recoveryCodes }
}

const codeOf = async (answering: Promise<Answer>) => (await answering).code

test('a sign-in asks for a code after the right password only, and one code opens both backends', async () => {
  const { credentials, codeAt } = await enrol()
  const call = openBrowser()
  expect(await codeOf(call('login', { ...credentials, password: toClientHash('no') }))).toBe(
    'session.bad-credentials',
  )
  expect(await codeOf(call('login', { username: 'nobody at all', password: credentials.password }))).toBe(
    'session.bad-credentials',
  )
  expect(await codeOf(call('login', credentials))).toBe('session.second-factor')
  expect(await codeOf(call('login', { ...credentials, code: '000000' }))).toBe('session.wrong-code')
  expect(await codeOf(call('login', { ...credentials, code: codeAt(0) }))).toBeUndefined()
  expect(await codeOf(call('tokenLogin', credentials))).toBeUndefined()
  // The session has both tokens now, so the next login is a new one.
  expect(await codeOf(call('tokenLogin', credentials))).toBe('session.second-factor')
  expect(await codeOf(call('z7TLogin', credentials))).toBe('session.second-factor')
})

test('a code works once, also for two sign-ins at the same time', async () => {
  const { credentials, codeAt } = await enrol()
  const code = codeAt(0)
  const both = await Promise.all([1, 2].map(() => codeOf(openBrowser()('login', { ...credentials, code }))))
  // The other one is refused for its code, or because it came during the wait for the first.
  expect(both.filter((refusal) => refusal === undefined)).toHaveLength(1)
  expect(['session.wrong-code', 'session.slowed']).toContain(both.find((refusal) => refusal !== undefined))
  expect(await codeOf(openBrowser()('login', { ...credentials, code }))).toBe('session.wrong-code')
  expect(await codeOf(openBrowser()('login', { ...credentials, code: codeAt(-1) }))).toBe(
    'session.wrong-code',
  )
  expect(await codeOf(openBrowser()('login', { ...credentials, code: codeAt(1) }))).toBeUndefined()
})

test('a code of another time is refused', async () => {
  const { credentials, codeAt } = await enrol()
  for (const steps of [-3, 3]) {
    expect(await codeOf(openBrowser()('login', { ...credentials, code: codeAt(steps) }))).toBe(
      'session.wrong-code',
    )
  }
})

test('wrong codes slow sign-ins down; asking for the code in between does not help', async () => {
  const { credentials, codeAt } = await enrol()
  const call = openBrowser()
  const answers: (string | undefined)[] = []
  for (let tries = 1; tries <= 6; tries++) {
    answers.push(await codeOf(call('login', credentials)))
    answers.push(await codeOf(call('login', { ...credentials, code: `00000${tries}` })))
  }
  expect(answers.slice(0, 10)).toEqual(Array(5).fill(['session.second-factor', 'session.wrong-code']).flat())
  expect(answers.slice(10)).toEqual(['session.slowed', 'session.slowed'])
  expect(await codeOf(call('login', { ...credentials, code: codeAt(0) }))).toBe('session.slowed')
})

test('starting the factor in between gives no further guesses at its code', async () => {
  const { credentials } = await enrol()
  const call = openBrowser()
  const answers: (string | undefined)[] = []
  for (let tries = 1; tries <= 6; tries++) {
    answers.push(await codeOf(call('startSecondFactor', credentials)))
    answers.push(await codeOf(call('login', { ...credentials, code: `00000${tries}` })))
  }
  expect(answers.slice(0, 10)).toEqual(Array(5).fill(['second-factor.on', 'session.wrong-code']).flat())
  expect(answers.slice(10)).toEqual(['session.slowed', 'session.slowed'])
})

test('two calls that turn it on at the same time leave one key and one set of recovery codes', async () => {
  const id = await server.createAccount('twice', [], ['p'])
  const credentials = { username: 'twice', password: toClientHash('twice') }
  const { secret } = endpoints.startSecondFactor.output.parse(
    (await openBrowser()('startSecondFactor', credentials)).data,
  )
  const codes = [0, 1].map((steps) => toCode(secret, Date.now() + steps * STEP_MS))
  const answers = await Promise.all(
    codes.map((code) => codeOf(openBrowser()('confirmSecondFactor', { ...credentials, code }))),
  )
  expect(answers.filter((code) => code === undefined)).toHaveLength(1)
  const stored = await server.db
    .selectFrom('recovery_code')
    .selectAll()
    .where('account_id', '=', id)
    .execute()
  expect(stored).toHaveLength(10)
})

test('a new password that is refused uses no code up', async () => {
  const { credentials, codeAt } = await enrol()
  const change = (newPasswordText: string) =>
    codeOf(
      openBrowser()('changePassword', {
        ...credentials,
        newPassword: toClientHash(newPasswordText),
        newPasswordText,
        code: codeAt(0),
      }),
    )
  expect(await change('short')).toBe('password.too-short')
  expect(await change('一个又长又好的新密码')).toBeUndefined()
})

test('sign-ins that only ask for the code are no failures', async () => {
  const { credentials, codeAt } = await enrol()
  const call = openBrowser()
  for (let tries = 1; tries <= 12; tries++) {
    expect(await codeOf(call('login', credentials))).toBe('session.second-factor')
  }
  expect(await codeOf(call('login', { ...credentials, code: codeAt(0) }))).toBeUndefined()
})

test('a recovery code replaces a lost device, once', async () => {
  const { credentials, recoveryCodes, id } = await enrol()
  const [code = ''] = recoveryCodes
  const typed = code.toLowerCase().replaceAll('-', ' ')
  const { data } = await openBrowser()('login', { ...credentials, code: typed })
  expect(data).toMatchObject({ uid: id })
  expect(await codeOf(openBrowser()('login', { ...credentials, code }))).toBe('session.wrong-code')
})

test('the store has neither the key nor the recovery codes in readable form', async () => {
  const { id, secret, recoveryCodes } = await enrol()
  const factor = await server.db
    .selectFrom('second_factor')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  const codes = await server.db.selectFrom('recovery_code').selectAll().where('account_id', '=', id).execute()
  expect(codes).toHaveLength(10)
  const stored = `${factor.secret.toString('latin1')} ${codes.map(({ hash }) => hash.toString('latin1')).join()}`
  expect(stored).not.toContain(secret)
  for (const code of recoveryCodes) expect(stored).not.toContain(code)
  const noted = await server.db.selectFrom('operation').selectAll().where('account_id', '=', id).execute()
  expect(noted.map(({ endpoint }) => endpoint)).toContain('confirmSecondFactor')
  expect(JSON.stringify(noted)).not.toContain(secret)
})

test('the browser that turned the factor on signs in once without another code; another browser does not', async () => {
  const { credentials, browser } = await enrol()
  expect(await codeOf(openBrowser()('login', credentials))).toBe('session.second-factor')
  expect(await codeOf(browser('login', credentials))).toBeUndefined()
  expect(await codeOf(browser('login', credentials))).toBe('session.second-factor')
})

test('a change of the password needs a code too', async () => {
  const { credentials, codeAt } = await enrol()
  const call = openBrowser()
  const newPasswordText = '一个又长又好的新密码'
  const change = { ...credentials, newPassword: toClientHash(newPasswordText), newPasswordText }
  expect(await codeOf(call('changePassword', change))).toBe('session.second-factor')
  expect(await codeOf(call('changePassword', { ...change, code: codeAt(0) }))).toBeUndefined()
  const renewed = { ...credentials, password: change.newPassword }
  expect(await codeOf(call('login', renewed))).toBeUndefined()
})

test('a code that ends own sessions lets no other session of the account do so without one', async () => {
  const { credentials, browser, codeAt, recoveryCodes } = await enrol()
  await browser('login', credentials)
  const { data: token } = endpoints.tokenLogin.output.parse((await browser('tokenLogin', credentials)).data)
  for (const code of recoveryCodes.slice(0, 2)) await openBrowser()('login', { ...credentials, code })
  const listed = endpoints.getOwnSessions.output.parse((await browser('getOwnSessions', {}, token)).data)
  const [first, second] = listed.datalist.filter(({ isThis }) => !isThis)
  const { password } = credentials
  const end = (id: number | undefined, code?: string) =>
    codeOf(browser('endOwnSessions', { ids: [id], password, code }, token))
  expect(await end(first?.id, codeAt(0))).toBeUndefined()
  expect(await end(second?.id)).toBe('session.second-factor')
})

test('users turn it off with a code; a role that requires it prevents that', async () => {
  const { credentials, account, recoveryCodes } = await enrol()
  const role = server.db.updateTable('role').where('key', '=', account)
  await role.set({ needs_second_factor: true }).execute()
  const [first, second] = recoveryCodes
  const call = openBrowser()
  expect(await codeOf(call('removeSecondFactor', { ...credentials, code: first }))).toBe(
    'second-factor.required',
  )
  await role.set({ needs_second_factor: false }).execute()
  expect(await codeOf(call('removeSecondFactor', { ...credentials, code: first }))).toBe('session.wrong-code')
  expect(await codeOf(call('removeSecondFactor', { ...credentials, code: second }))).toBeUndefined()
  expect(await codeOf(call('login', credentials))).toBeUndefined()
})

test('turning it on or off ends the sessions of other browsers, and not the own one', async () => {
  await server.createAccount('turning', [], ['p'])
  const credentials = { username: 'turning', password: toClientHash('turning') }
  const [own, other] = [openBrowser(), openBrowser()]
  const signIn = async (browser: typeof own, code?: string) =>
    endpoints.login.output.parse((await browser('login', { ...credentials, code })).data).token
  const isOpen = async (token: string) =>
    (await codeOf(server.call(endpoints.getUser, {}, token))) === undefined
  const [mine, theirs] = [await signIn(own), await signIn(other)]
  const { secret } = endpoints.startSecondFactor.output.parse(
    (await own('startSecondFactor', credentials)).data,
  )
  const code = toCode(secret, Date.now())
  const confirmed = await own('confirmSecondFactor', { ...credentials, code })
  expect([await isOpen(mine), await isOpen(theirs)]).toEqual([true, false])
  const [first, second] = endpoints.confirmSecondFactor.output.parse(confirmed.data).recoveryCodes
  const again = await signIn(other, first)
  expect(await isOpen(again)).toBe(true)
  expect(await codeOf(own('removeSecondFactor', { ...credentials, code: second }))).toBeUndefined()
  expect([await isOpen(mine), await isOpen(again)]).toEqual([true, false])
})

test('the own sessions go on by their tokens where the browser has lost its cookie', async () => {
  await server.createAccount('restarting', [], ['p'])
  const credentials = { username: 'restarting', password: toClientHash('restarting') }
  // Without the cookie each login is a session of its own.
  const first = endpoints.login.output.parse((await openBrowser()('login', credentials)).data).token
  const second = endpoints.tokenLogin.output.parse((await openBrowser()('tokenLogin', credentials)).data).data
  const theirs = endpoints.login.output.parse((await openBrowser()('login', credentials)).data).token
  const tokenHashes = [first, second].map((token) => hashToken(token).toString('hex'))
  const areOpen = () =>
    Promise.all(
      [
        server.call(endpoints.getUser, {}, first),
        server.call(endpoints.getSecondFactor, {}, second),
        server.call(endpoints.getUser, {}, theirs),
      ].map(async (answering) => (await codeOf(answering)) === undefined),
    )
  const { secret } = endpoints.startSecondFactor.output.parse(
    (await openBrowser()('startSecondFactor', credentials)).data,
  )
  const code = toCode(secret, Date.now())
  const confirmed = await openBrowser()('confirmSecondFactor', { ...credentials, code, tokenHashes })
  expect(await areOpen()).toEqual([true, true, false])
  const [recoveryCode] = endpoints.confirmSecondFactor.output.parse(confirmed.data).recoveryCodes
  const removal = { ...credentials, code: recoveryCode, tokenHashes }
  expect(await codeOf(openBrowser()('removeSecondFactor', removal))).toBeUndefined()
  expect(await areOpen()).toEqual([true, true, false])
})

test('a role that requires it opens no session before it is set up, and prolongs none', async () => {
  const id = await server.createAccount('required', [], ['p'])
  const credentials = { username: 'required', password: toClientHash('required') }
  const call = openBrowser()
  const { data } = await call('login', credentials)
  const { token } = endpoints.login.output.parse(data)
  await server.db
    .updateTable('role')
    .set({ needs_second_factor: true })
    .where('key', '=', 'required')
    .execute()
  expect(await codeOf(call('refreshToken', {}, token))).toBe('session.expired')
  expect(await codeOf(call('login', credentials))).toBe('session.second-factor-missing')
  const started = endpoints.startSecondFactor.output.parse(
    (await call('startSecondFactor', credentials)).data,
  )
  const code = toCode(started.secret, Date.now())
  expect(await codeOf(call('confirmSecondFactor', { ...credentials, code: '123456' }))).toBe(
    'session.wrong-code',
  )
  expect(await codeOf(call('confirmSecondFactor', { ...credentials, code }))).toBeUndefined()
  expect((await call('login', credentials)).data).toMatchObject({ uid: id })
})

test.each(['its company', 'the installation'])(
  'an account whose roles require none needs it by the rules of %s, another one does not',
  async (whose) => {
    const name = whose === 'its company' ? 'ruled' : 'ruled-too'
    await server.createAccount(name, [], ['p'])
    await server.createAccount(`${name}-provider`, [], [], 'provider')
    const own = { username: name, password: toClientHash(name) }
    const provider = { username: `${name}-provider`, password: toClientHash(`${name}-provider`) }
    const ofInstallation = sql`update password_policy set needs_second_factor = true where company_id is null`
    const ofCompany = sql`
      insert into password_policy
        (company_id, min_length, min_kinds, history, max_age_days, must_change_given, needs_second_factor)
      select id, 10, 1, 1, 0, false, true from company`
    await (whose === 'its company' ? ofCompany : ofInstallation).execute(server.db)
    try {
      const call = openBrowser()
      expect(await codeOf(call('login', own))).toBe('session.second-factor-missing')
      expect(await codeOf(call('login', provider))).toBe(
        whose === 'its company' ? undefined : 'session.second-factor-missing',
      )
    } finally {
      await sql`update password_policy set needs_second_factor = false`.execute(server.db)
    }
  },
)

test('an administrator resets the factor of a user who has lost it, which ends the sessions', async () => {
  const { id: uid, credentials, browser } = await enrol()
  const { token } = endpoints.login.output.parse((await browser('login', credentials)).data)
  const chief = (await server.logIn('chief'))['ht-api']
  const found = server.db.selectFrom('account').select('version').where('id', '=', uid)
  const { version } = await found.executeTakeFirstOrThrow()
  const reset = { uid, version }
  expect(await codeOf(server.call(endpoints.resetSecondFactor, reset, chief))).toBeUndefined()
  expect(await codeOf(server.call(endpoints.getUser, {}, token))).toBe('session.expired')
  expect(await codeOf(server.call(endpoints.resetSecondFactor, { uid, version: version + 1 }, chief))).toBe(
    'second-factor.off',
  )
  expect(await codeOf(openBrowser()('login', credentials))).toBeUndefined()
})
