import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { listReferences, listValues, type Reference, referenceErrors } from '@isotherm/contract/refs'
import { DAY_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toTownText } from './modules/map/ground/map-files.testkit.ts'
import { PROVIDED_ACCOUNT, startProvider } from './modules/session/oidc/provider.testkit.ts'
import { startTestGateway, type TestGateway } from './modules/users/verification/code-gateway.testkit.ts'
import { createWorld, leaveOut, toShape, type World } from './testing/endpoint-cases.testkit.ts'
import { cases } from './testing/endpoints.testkit.ts'
import { namedEndpoints, startTestServer, type TestServer, type Tokens } from './testing/server.testkit.ts'

let server: TestServer
let world: World
let expired: Tokens
let gateway: TestGateway
let mapFolder: string
let provider: Awaited<ReturnType<typeof startProvider>>

beforeAll(async () => {
  gateway = await startTestGateway()
  provider = await startProvider()
  // Valves are exercised outside of the heating season only: it begins and ends half a year from now.
  const season = new Date(Date.now() + 183 * DAY_MS).toISOString().slice(5, 10)
  mapFolder = await mkdtemp(join(tmpdir(), 'isotherm-map-'))
  await writeFile(join(mapFolder, 'town.geojson'), toTownText())
  const settings = {
    ISOTHERM_MAP_FOLDER: mapFolder,
    ISOTHERM_VERIFICATION_URL: gateway.url,
    ISOTHERM_HEATING_SEASON: `${season}/${season}`,
    ...provider.settings,
  }
  server = await startTestServer({ settings })
  world = await createWorld(server)
  expired = await server.logIn('nobody')
  const session = await server.session.authenticate('ht-api', expired['ht-api'])
  await server.db
    .updateTable('token')
    .set({ expires_at: new Date(0) })
    .where('session_id', '=', session.sessionId)
    .execute()
})
afterAll(async () => {
  await server.stop()
  await gateway.stop()
  await provider.stop()
  await rm(mapFolder, { recursive: true })
})

/** Errors of a valid call that depend on the state of the devices. */
const alsoGood: readonly unknown[] = ['command.not-cancellable', 'irrigation.not-now']
/** Names and serials below the first station. An account with only the second station must not receive them. */
const FOREIGN = /一号站|东区|二号楼|十号楼|[VRC]-b2|[VRC]-b10/
const NOT_FOUND = /\.not-found$/
/** Errors that an account without the place may receive: not found, or not allowed for company staff. */
const REFUSED = /\.not-found$|^access\.denied$|^account\.beyond-yours$/

/** A missing entity of each kind of reference. */
const absent: Readonly<Record<Reference, string | number>> = {
  node: '987654321',
  'node-around': '987654321',
  group: 987654321,
  'sub-user': '00000000-0000-4000-8000-000000000000',
  device: 987654321,
  imei: 'NO-SUCH-DEVICE',
  'control-device': 987654321,
  'device-group': 987654321,
  'device-model': 987654321,
  'device-profile': 987654321,
  'unregistered-device': 987654321,
  account: 987654321,
  'account-name': 'nobody-of-this-name',
  role: 987654321,
  'given-role': 987654321,
  'role-code': 987654,
  'given-role-code': 987654,
  module: 987654321,
  'given-module': 987654321,
  organisation: 987654321,
  company: 987654321,
  session: 987654321,
  'api-key': 987654321,
  transfer: 987654321,
  command: '01NO0SUCH0COMMAND000000000',
  'command-batch': '01NO0SUCH0BATCH00000000000',
  hold: 987654321,
  'valve-exercise': 987654321,
  alarm: 987654321,
  'alarm-rule': 987654321,
  'alarm-silence': 987654321,
  'alarm-target': 987654321,
  campaign: 987654321,
  strategy: 987654321,
  'irrigation-source': 987654321,
  'irrigation-group': 987654321,
  'irrigation-program': 987654321,
  'irrigation-run': 987654321,
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The input with `value` at a place; a list gets it as one more item. An absent place stays absent. */
function putAt(input: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === '*') {
    if (!Array.isArray(input)) return input
    return rest.length === 0 ? [...input, value] : input.map((item) => putAt(item, rest, value))
  }
  if (!isRecord(input)) return input
  const isLast = rest.length === 0 || (rest.length === 1 && rest[0] === '*')
  if (!Object.hasOwn(input, step) && !isLast) return input
  return { ...input, [step]: putAt(input[step] ?? (rest[0] === '*' ? [] : undefined), rest, value) }
}

/** Account names of public calls: in the input, or of the person at the provider; empty for those that name none. */
const toUserName = (name: EndpointName, input: unknown): string =>
  name === 'finishSingleSignOn'
    ? PROVIDED_ACCOUNT
    : z.object({ username: z.string().default('') }).parse(input).username

const hasVersion = (input: unknown): boolean => /"version":\d/.test(JSON.stringify(input))

/** Texts and arbitrary bodies. Created once, because their alphabets are large. */
const anyInsertion = fc.string({ maxLength: 4 })
const anyBody = fc.oneof(
  fc.json(),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('[[[[[[[[', 'null', '0', '""'),
)
/** Each endpoint gets these: some keep the keys of their input. */
const prototypeBodies: [string][] = [['{"__proto__":{"x":1}}'], ['{"constructor":{"prototype":{}}}']]

/** A printed seed minus the place of its endpoint is the ISOTHERM_PROPERTY_SEED that draws the same again. */
const { seed: commonSeed } = fc.readConfigureGlobal() ?? {}
const seedOf = (name: EndpointName) =>
  commonSeed === undefined ? {} : { seed: commonSeed + Object.keys(endpoints).indexOf(name) }

describe.each(namedEndpoints)('%s', (name, endpoint) => {
  const { backend, access, effect, file } = endpoint
  const isPublic = access.kind === 'public'
  const other = backend === 'usr-cloud' ? 'ht-api' : 'usr-cloud'
  let untaken: Promise<unknown> | undefined
  /** One input for all refused calls: none of them changes anything. */
  const toRefused = () => {
    if (isPublic) return cases[name](world)
    untaken ??= cases[name](world)
    return untaken
  }
  /** Calls that read change nothing either. */
  const toInput = () => (effect === 'reads' ? toRefused() : cases[name](world))
  const references = listReferences(endpoint.input)

  test('requires a session, unless it is declared public', async () => {
    const { http, code, status } = await server.call(endpoint, await toRefused())
    expect(http).toBe(200)
    expect(code).toBe(isPublic ? undefined : 'session.missing')
    if (!isPublic) expect(status).toBe('401')
  })

  test('refuses an expired token', async () => {
    const { code, status } = await server.call(endpoint, await toRefused(), expired[backend])
    expect(code).toBe(isPublic ? undefined : 'session.expired')
    if (!isPublic) expect(status).toBe('11')
  })

  test('refuses a token of the other backend', async () => {
    const input = await toRefused()
    const tokens = await world.openTokensOf('nobody')
    const { code } = await server.call(endpoint, input, tokens[other])
    expect(code).toBe(isPublic ? undefined : 'session.expired')
  })

  test('requires a permission exactly if it declares one', async () => {
    const isRefused = access.kind === 'permission'
    const { code } = await world.callAs('nobody', name, await (isRefused ? toRefused() : toInput()))
    if (isRefused) expect(code).toBe('access.denied')
    else expect(code ?? 'x.not-found').toMatch(NOT_FOUND)
  })

  test.each(references)(
    'refuses to act on a $reference that does not exist, at $place',
    async ({ reference, place }) => {
      const input = putAt(await toRefused(), place, absent[reference])
      const { code } = await world.callAs('whole', name, input)
      expect(code).toBe(referenceErrors[reference])
    },
  )

  test('answers a valid call as the contract states, and logs a change or an export', async () => {
    // The refused calls above changed nothing, so this input is still valid.
    const input = await toRefused()
    const before = await findLastOperation()
    const { http, code, status, text } = await world.callAs('whole', name, input)
    expect([http, code, text]).toEqual([200, code, text])
    expect([undefined, ...alsoGood], text).toContain(code)
    if (code === undefined) expect(status).toBe(backend === 'usr-cloud' ? '0' : '200')
    const list = () => listOperations(name, before)
    if (effect !== 'changes' && (file !== 'download' || endpoint.isPageContent))
      expect(await list()).toEqual([])
    // An export is logged when its last byte is sent.
    else
      await expect.poll(list).toContainEqual({
        account: isPublic ? toUserName(name, input) : 'whole',
        result: code ?? 'ok',
      })
  })

  test('reveals nothing to an account with another subtree, and changes nothing for it', async () => {
    const input = await toInput()
    const { code, body } = await world.callAs('stranger', name, input)
    if (code !== undefined) expect(code).toMatch(REFUSED)
    else if (effect === 'changes') expect(isAboutAPlace(name)).toBe(false)
    expect(body).not.toMatch(FOREIGN)
    // The refused change is still possible for an account that may do it.
    if (code === undefined || effect === 'reads') return
    const again = await world.callAs('whole', name, input)
    expect([undefined, ...alsoGood], again.text).toContain(again.code)
  })

  const openPlaces = effect === 'reads' ? listOpenPlaces(endpoint) : []
  if (openPlaces.length > 0)
    test('reveals nothing to an account with another subtree without a named place either', async () => {
      const input = await toInput()
      const shown: boolean[] = []
      // With the filter fields of the list and without.
      for (const fields of [openPlaces, Object.keys(toShape(endpoint.input))]) {
        const unnamed = leaveOut(endpoint.input, input, fields)
        const foreign = await world.callAs('stranger', name, unnamed)
        const whole = await world.callAs('whole', name, unnamed)
        if (foreign.code !== undefined) expect(foreign.code).toMatch(REFUSED)
        expect(foreign.body).not.toMatch(FOREIGN)
        for (const named of listNamed(endpoint, input)) expect(foreign.body).not.toMatch(named)
        shown.push(whole.body !== foreign.body)
      }
      // Without hidden entries the test would prove nothing. An account that sees everything may need a narrower input.
      expect(shown).toContain(true)
    })

  test('refuses a malformed body with 400 and the place of the fault', async () => {
    const malformed = endpoint.method === 'GET' ? 'token=a&token=b' : '[]'
    const token = (await world.tokensOf('whole'))[backend]
    const send = (with_: string) => server.send(endpoint, malformed, server.toHeaders(endpoint, with_))
    let answer = await send(token)
    if (answer.code === 'session.expired') answer = await send((await server.logIn('whole'))[backend])
    expect([answer.http, answer.code]).toEqual([400, 'request.malformed'])
    expect(answer.text).toMatch(/^The request is not valid\. Check the input and try again \(\w+: /)
  })

  test('refuses one of two simultaneous changes of one version', async () => {
    const input = await toInput()
    const both = await Promise.all([1, 2].map(() => world.callAs('whole', name, input)))
    for (const { http } of both) expect(http).toBeLessThan(500)
    if (effect !== 'changes' || !hasVersion(input)) return
    const codes = both.map(({ code }) => code)
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.find((code) => code !== undefined)).toMatch(/^entity\.stale$|\.not-found$/)
  })

  test('answers any body with an envelope and never with an internal error', async () => {
    const valid = JSON.stringify(await toInput())
    const anyPlace = fc.nat({ max: valid.length })
    const garbage = fc.oneof(
      anyBody,
      anyPlace.map((length) => valid.slice(0, length)),
      fc.tuple(anyPlace, anyInsertion).map(([at, text]) => valid.slice(0, at) + text + valid.slice(at)),
    )
    // Logs in again if the endpoint has ended the session.
    let tokens = await world.tokensOf('whole')
    await fc.assert(
      fc.asyncProperty(garbage, async (body) => {
        const answer = await server.send(endpoint, body, server.toHeaders(endpoint, tokens[backend]))
        if (answer.code === 'session.expired') tokens = await server.logIn('whole')
        expect(answer.http).toBeLessThan(500)
      }),
      // The reader of bodies is the same for all endpoints, so each gets other bodies; damaged valid ones are its own.
      { numRuns: 14, examples: prototypeBodies, ...seedOf(name) },
    )
  })
})

const findLastOperation = async (): Promise<number> => {
  const row = await server.db
    .selectFrom('operation')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

const listOperations = (endpoint: EndpointName, after: number) =>
  server.db
    .selectFrom('operation')
    .select(['account', 'result'])
    .where('endpoint', '=', endpoint)
    .where('id', '>', after)
    .execute()

/** Kinds of entities with a place in the tree: an account with another part of the tree cannot name them. */
const placed: ReadonlySet<Reference> = new Set([
  'node',
  'node-around',
  'group',
  'sub-user',
  'device',
  'imei',
  'control-device',
  'command',
  'command-batch',
  'hold',
  'alarm',
  'alarm-rule',
  'alarm-silence',
  'alarm-target',
  'campaign',
  'strategy',
])

/** Optional fields of an input that narrow it to a place. Absent or empty they mean everything granted. */
function listOpenPlaces({ input }: Endpoint): readonly string[] {
  const named = listReferences(input).filter(({ reference }) => placed.has(reference))
  const fields = new Set(named.flatMap(({ place }) => place.slice(0, 1)))
  const shape = toShape(input)
  return [...fields].filter((field) =>
    [undefined, []].some((value) => shape[field]?.safeParse(value).success ?? false),
  )
}

const isAboutAPlace = (name: EndpointName): boolean =>
  listReferences(endpoints[name].input).some(({ reference }) => placed.has(reference))

/** The texts by which an answer would reveal the entities of an input; nodes by their names. */
function listNamed(endpoint: Endpoint, input: unknown): readonly RegExp[] {
  const places = listReferences(endpoint.input).filter(
    ({ reference }) => placed.has(reference) && reference !== 'node' && reference !== 'group',
  )
  return places.flatMap(({ place }) => {
    // The answer names deviceIds as deviceId.
    const field = place.findLast((step) => step !== '*')?.replace(/s$/, '')
    return listValues(input, place).map((value) =>
      typeof value === 'string' ? new RegExp(`"${value}"`) : new RegExp(`"${field}":${value}\\b`),
    )
  })
}

test('an address of another company’s subtree is refused like an unknown one', async () => {
  const nodes = [await server.nodeKey('s1')]
  const input = { nodes, kinds: ['valve'], limiter: { page: 1, size: 10 } }
  const { code, status } = await world.callAs('stranger', 'getDevsFromPrjTree', input)
  expect([code, status]).toEqual(['node.not-found', '2001'])
})

test('a token in body or query is accepted by the first backend, as specified', async () => {
  const token = (await world.tokensOf('nobody'))['usr-cloud']
  expect((await server.call(endpoints.getUser, { token })).code).toBeUndefined()
  const query = new URLSearchParams({ token }).toString()
  expect((await server.send(endpoints.refreshToken, query, {})).code).toBeUndefined()
})
