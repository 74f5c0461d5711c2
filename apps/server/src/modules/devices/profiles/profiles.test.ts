import { permissions } from '@isotherm/contract/access/permissions'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { deviceModel } from '@isotherm/contract/endpoints/devices/device-models'
import { storedProfile } from '@isotherm/contract/endpoints/devices/device-profiles'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer, type Tokens } from '../../../testing/server.testkit.ts'

let server: TestServer
/** Staff of the provider, and of a company with only the page of room sensors. */
let provider: Tokens
let staff: Tokens

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('provider', permissions, [], 'provider')
  await server.createAccount('staff', ['pd-rtcaldevmanager'], ['p'])
  provider = await server.logIn('provider')
  staff = await server.logIn('staff')
})
afterAll(() => server.stop())

const call = (tokens: Tokens, name: EndpointName, input: unknown) =>
  server.call(endpoints[name], input, tokens[endpoints[name].backend])

const [shipped] = shippedProfiles.filter(({ kind }) => kind === 'room-sensor')
const toProfile = (id: string) => ({ ...shipped, id })
const add = async (id: string) =>
  storedProfile.parse((await call(provider, 'addDevProfile', { profile: toProfile(id) })).data)

test('a profile is stored as it was given, for every company; staff of a company cannot change it', async () => {
  const added = await call(staff, 'addDevProfile', { profile: toProfile('own-sensor') })
  expect(added.data).toEqual({
    id: expect.any(Number),
    profile: toProfile('own-sensor'),
    version: 1,
    abilities: [],
  })
  const { data } = await call(provider, 'getAllDevProfiles', {})
  expect(data).toMatchObject({ datalist: [{ abilities: ['edit', 'remove'] }], total: 1 })
  const { id, version } = storedProfile.parse(added.data)
  const changed = { id, version, profile: { ...toProfile('own-sensor'), pollPeriodS: 60 } }
  expect((await call(staff, 'editDevProfile', changed)).code).toBe('access.denied')
  expect((await call(staff, 'deleteDevProfile', { id, version })).code).toBe('access.denied')
  expect((await call(provider, 'editDevProfile', changed)).data).toMatchObject({
    profile: { pollPeriodS: 60 },
    version: 2,
  })
})

test('a profile with a line break in its name, which an older version stored, is read and corrected', async () => {
  const { id, profile } = await add('older')
  const old = { ...profile, name: { zh: '室\n温', en: 'room\nsensor' } }
  await server.db
    .updateTable('device_profile')
    .set({ profile: JSON.stringify(old) })
    .where('id', '=', id)
    .execute()
  const { datalist } = endpoints.getAllDevProfiles.output.parse(
    (await call(provider, 'getAllDevProfiles', {})).data,
  )
  const stored = datalist.find((each) => each.id === id)
  expect(stored?.profile).toEqual(old)
  const edit = (changed: object) =>
    call(provider, 'editDevProfile', { id, version: stored?.version, profile: changed })
  expect((await edit(old)).code).toBe('request.malformed')
  expect((await edit(profile)).data).toMatchObject({ profile: { name: profile.name } })
})

test('a wrong profile, an id that another or a shipped profile has, and a kind without rights are refused', async () => {
  await add('taken')
  const codeOf = async (profile: object, tokens = provider) =>
    (await call(tokens, 'addDevProfile', { profile })).code
  expect(await codeOf({ ...toProfile('bad'), pollPeriodS: 1 })).toBe('request.malformed')
  expect(await codeOf(toProfile('taken'))).toBe('entity.taken')
  expect(await codeOf(shipped ?? {})).toBe('entity.taken')
  const valve = shippedProfiles.find(({ kind }) => kind === 'valve')
  expect(await codeOf({ ...valve, id: 'own-valve' }, staff)).toBe('access.denied')
})

test('a model names a profile of its kind; then the profile can be renamed, and not removed', async () => {
  const { id, version } = await add('named')
  const kind = 'room-sensor'
  const model = { kind, name: 'S9', profile: 'named' }
  const made = deviceModel.parse((await call(staff, 'addDevModel', model)).data)
  expect(made).toMatchObject({ profile: 'named' })
  expect((await call(provider, 'deleteDevProfile', { id, version })).code).toBe('entity.in-use')
  const renamed = { id, version, profile: toProfile('renamed') }
  expect((await call(provider, 'editDevProfile', renamed)).code).toBeUndefined()
  const listed = z.object({ datalist: z.array(deviceModel) })
  const { datalist } = listed.parse((await call(staff, 'getAllDevModels', { kind })).data)
  const found = datalist.find(({ name }) => name === 'S9')
  expect(found).toMatchObject({ profile: 'renamed' })
  const item = { id: made.id, version: found?.version }
  const codeOf = async (profile: string | null) =>
    (await call(provider, 'editDevModel', { ...item, profile })).code
  expect(await codeOf('nowhere')).toBe('device-profile.not-found')
  expect(await codeOf(shippedProfiles.find((each) => each.kind === 'valve')?.id ?? '')).toBe(
    'device-profile.not-found',
  )
  expect(await codeOf(null)).toBeUndefined()
  expect((await call(provider, 'deleteDevProfile', { id, version: version + 1 })).code).toBeUndefined()
})
