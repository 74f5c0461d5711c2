import { endpoints } from '@isotherm/contract/endpoints/all'
import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { createOidcClient } from './oidc-client.ts'
import { followProvider, signWith, startProvider } from './provider.testkit.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let server: TestServer
let people = 0
beforeAll(async () => {
  provider = await startProvider()
  server = await startTestServer({ settings: provider.settings })
})
afterEach(() => provider.tamperWith())
afterAll(async () => {
  await server.stop()
  await provider.stop()
})

/** A new person at the provider, who is signed in there from now on. */
function become(groups: readonly string[], sub = `person-${people + 1}`, account = `${sub}.name`) {
  people += 1
  provider.become({ sub, account, groups })
  return { sub, account }
}

const start = async () =>
  endpoints.startSingleSignOn.output.parse((await server.call(endpoints.startSingleSignOn, {})).data)

const finish = (input: object) => server.call(endpoints.finishSingleSignOn, input)

async function signIn() {
  const { url, secret } = await start()
  return finish({ secret, ...(await followProvider(url)) })
}

async function signInOk() {
  const { data, code } = await signIn()
  expect(code).toBeUndefined()
  return endpoints.finishSingleSignOn.output.parse(data)
}

const rolesOf = async (id: number) => {
  const found = server.db
    .selectFrom('account_role')
    .innerJoin('role', 'role.id', 'account_role.role_id')
    .select('role.key')
    .where('account_id', '=', id)
  return (await found.execute()).map(({ key }) => key)
}

test('a person of a known group gets an account with the role of the group, and a session of both backends', async () => {
  const { account } = become(['dispatchers', 'choir'])
  const { token, data, uid, utype } = await signInOk()
  expect(utype).toBe('usr')
  expect(await rolesOf(uid)).toEqual(['dispatcher'])
  const user = await server.call(endpoints.getUser, {}, token)
  expect(user.data).toMatchObject({ id: uid, account, sysrole: 102 })
  const modules = await server.call(endpoints.getAllModulesU, {}, data)
  expect(modules.data).toMatchObject({ rcode: 102 })
  expect((await signInOk()).uid).toBe(uid)
})

test('other groups give other roles, and the sessions with the old ones end', async () => {
  const { sub } = become(['dispatchers'])
  const { token, uid } = await signInOk()
  become(['viewers', 'dispatchers'], sub)
  expect((await signInOk()).uid).toBe(uid)
  expect((await rolesOf(uid)).toSorted()).toEqual(['dispatcher', 'viewer'])
  expect((await server.call(endpoints.getUser, {}, token)).code).toBe('session.expired')
  become(['viewers'], sub)
  await signInOk()
  expect(await rolesOf(uid)).toEqual(['viewer'])
})

test('a person without a known group is refused, also one who had one before', async () => {
  const { sub } = become(['viewers'])
  await signInOk()
  become(['choir'], sub)
  expect((await signIn()).code).toBe('single-sign-on.no-role')
  become([])
  expect((await signIn()).code).toBe('single-sign-on.no-role')
})

test('a rotated key of the provider is accepted at once, and the old one refused', async () => {
  become(['viewers'])
  await signInOk()
  const old = await provider.rotate()
  await signInOk()
  provider.tamperWith((claims) => signWith(old, claims))
  expect((await signIn()).code).toBe('single-sign-on.refused')
})

const now = () => Math.floor(Date.now() / 1000)
test.each<[string, (claims: JWTPayload) => JWTPayload]>([
  ['another audience', (claims) => ({ ...claims, aud: 'another client' })],
  ['another issuer', (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' })],
  ['another nonce', (claims) => ({ ...claims, nonce: 'of another sign-in' })],
  ['an expired token', (claims) => ({ ...claims, iat: now() - 600, exp: now() - 300 })],
  ['a clock two minutes slow', (claims) => ({ ...claims, iat: now() - 720, exp: now() - 120 })],
  ['a token that is not valid yet', (claims) => ({ ...claims, nbf: now() + 120 })],
])('%s is refused', async (_what, change) => {
  become(['viewers'])
  provider.tamperWith((claims, key) => signWith(key, change(claims)))
  expect((await signIn()).code).toBe('single-sign-on.refused')
})

test('clocks that differ by twenty seconds are accepted', async () => {
  become(['viewers'])
  provider.tamperWith((claims, key) => signWith(key, { ...claims, iat: now() - 620, exp: now() - 20 }))
  await signInOk()
  provider.tamperWith((claims, key) => signWith(key, { ...claims, iat: now() + 20, nbf: now() + 20 }))
  await signInOk()
})

test('a token without a signature is refused', async () => {
  become(['viewers'])
  const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  provider.tamperWith(async (claims) => `${toPart({ alg: 'none' })}.${toPart(claims)}.`)
  expect((await signIn()).code).toBe('single-sign-on.refused')
})

test('an answer needs the state and the secret of its own start, and works once', async () => {
  become(['viewers'])
  const [mine, other] = await Promise.all([start(), start()])
  const answer = await followProvider(mine.url)
  expect((await finish({ secret: other.secret, ...answer })).code).toBe('single-sign-on.refused')
  expect((await finish({ secret: 'unknown', ...answer })).code).toBe('single-sign-on.refused')
  const again = await start()
  const answered = await followProvider(again.url)
  expect((await finish({ secret: again.secret, ...answered, state: 'another' })).code).toBe(
    'single-sign-on.refused',
  )
  expect((await finish({ secret: again.secret, ...answered })).code).toBe('single-sign-on.refused')
  const { code } = await finish({ secret: mine.secret, ...answer })
  expect(code).toBeUndefined()
  expect((await finish({ secret: mine.secret, ...answer })).code).toBe('single-sign-on.refused')
})

test('a person who is removed at the provider is refused, also between its page and the console', async () => {
  const { sub } = become(['viewers'])
  await signInOk()
  const { url, secret } = await start()
  const answer = await followProvider(url)
  provider.remove(sub)
  expect((await finish({ secret, ...answer })).code).toBe('single-sign-on.refused')
})

test('a person whose account is disabled here is refused', async () => {
  become(['viewers'])
  const { uid } = await signInOk()
  await server.db.updateTable('account').set({ enabled: false }).where('id', '=', uid).execute()
  expect((await signIn()).code).toBe('session.disabled')
})

test('an account of this server is not taken over by a person of the same name', async () => {
  await server.createAccount('chief', [], ['p'])
  become(['viewers'], 'impostor', 'Chief')
  const { code } = await signIn()
  expect(code).toBe('single-sign-on.account-taken')
})

test('a name that no account can have is replaced by the next one of the person', async () => {
  for (const account of ['HEAT\\wang li', 'w'.repeat(65)]) {
    const { sub } = become(['viewers'], undefined, account)
    const user = await server.call(endpoints.getUser, {}, (await signInOk()).token)
    expect(user.data).toMatchObject({ account: sub })
  }
})

test('a role that requires a second factor is refused without a statement of the provider that there were several', async () => {
  const settings = { ...provider.settings, ISOTHERM_OIDC_TWO_FACTORS: 'mfa,urn:company:two' }
  const strict = await startTestServer({ settings, beside: server })
  try {
    const enter = async () => {
      const started = await strict.call(endpoints.startSingleSignOn, {})
      const { url, secret } = endpoints.startSingleSignOn.output.parse(started.data)
      expect(new URL(url).searchParams.get('acr_values')).toBe('mfa urn:company:two')
      return strict.call(endpoints.finishSingleSignOn, { secret, ...(await followProvider(url)) })
    }
    const state = (claims: JWTPayload) =>
      provider.tamperWith((own, key) => signWith(key, { ...own, ...claims }))
    const setRequired = (isRequired: boolean) =>
      server.db
        .updateTable('role')
        .set({ needs_second_factor: isRequired })
        .where('key', '=', 'viewer')
        .execute()
    const { sub, account } = become(['viewers', 'dispatchers'])
    const { uid } = endpoints.finishSingleSignOn.output.parse((await enter()).data)
    await setRequired(true)
    become(['viewers'], sub)
    for (const weak of [{}, { amr: ['pwd'] }, { amr: 'mfa' }, { acr: '0', amr: [] }, { acr: ['mfa'] }]) {
      state(weak)
      expect((await enter()).code, JSON.stringify(weak)).toBe('single-sign-on.one-factor')
    }
    // A refused sign-in takes the lost role away too, and stands in the log as refused.
    expect(await rolesOf(uid)).toEqual(['viewer'])
    const recorded = server.db.selectFrom('operation').select('result').where('account', '=', account)
    expect((await recorded.orderBy('id').execute()).map(({ result }) => result)).toEqual([
      'ok',
      ...Array(5).fill('single-sign-on.one-factor'),
    ])
    for (const strong of [{ amr: ['pwd', 'mfa'] }, { acr: 'urn:company:two' }]) {
      state(strong)
      expect((await enter()).code, JSON.stringify(strong)).toBeUndefined()
    }
    // Without the setting the strength is left to the provider.
    state({})
    expect((await signIn()).code).toBeUndefined()
    await setRequired(false)
  } finally {
    await strict.stop()
  }
})

test('settings that name another issuer than the configured one are refused', async () => {
  const { ISOTHERM_OIDC_ISSUER: issuer, ISOTHERM_OIDC_CLIENT_ID: clientId } = provider.settings
  const createClient = (name: string) =>
    createOidcClient(
      {
        issuer: issuer.replace('127.0.0.1', name),
        clientId,
        clientSecret: provider.settings.ISOTHERM_OIDC_CLIENT_SECRET,
        redirectUri: `${provider.settings.ISOTHERM_OIDC_ORIGIN}/login`,
        groupsClaim: 'groups',
        roles: [],
        twoFactors: [],
      },
      createLog({ logLevel: 'silent' }),
    )
  expect((await createClient('127.0.0.1').start()).url).toContain(issuer)
  await expect(createClient('localhost').start()).rejects.toMatchObject({
    code: 'single-sign-on.unavailable',
    cause: { message: expect.stringContaining('issuer') },
  })
})

test('without a provider there is no single sign-on, and a provider that is away is named', async () => {
  const settings = { ...provider.settings, ISOTHERM_OIDC_ISSUER: 'http://127.0.0.1:9' }
  const away = await startTestServer({ settings, beside: server })
  expect((await away.call(endpoints.startSingleSignOn, {})).code).toBe('single-sign-on.unavailable')
  await away.stop()
  const plain = await startTestServer({ beside: server })
  expect((await plain.call(endpoints.startSingleSignOn, {})).code).toBe('single-sign-on.off')
  await plain.stop()
})
