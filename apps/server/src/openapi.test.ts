import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generate } from 'openapi-typescript-codegen'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { toClientHash } from './modules/session/sign-in/passwords.ts'
import { startTestServer, type TestServer } from './testing/server.testkit.ts'

let server: TestServer
let folder: string
let document: Readonly<Record<string, unknown>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-client-'))
  server = await startTestServer()
  await server.createAccount('li', ['pe-fmreal'], ['p'])
  const response = await fetch(`${server.base}/docs/json`)
  document = z.record(z.string(), z.unknown()).parse(await response.json())
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the description of the endpoints is valid OpenAPI and names each once', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  const operations = z
    .record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string().optional() })))
    .parse(document.paths)
  const ids = Object.values(operations).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(ids.toSorted()).toEqual(Object.keys(endpoints).toSorted())
})

/** The parts of a generated client that the test uses: its settings, and a service for each tag. */
interface GeneratedService {
  login(options: unknown): Promise<unknown>
  queryProjectList(options: unknown): Promise<unknown>
}
const generated = z.object({
  OpenAPI: z.custom<object>((value) => typeof value === 'object'),
  UsrCloudService: z.custom<GeneratedService>((value) => typeof value === 'function'),
})
const signedIn = z.object({ data: z.object({ token: z.string() }) })

test('a client generated from the description signs in and lists projects', async () => {
  await generate({ input: structuredClone(document), output: folder, httpClient: 'fetch', useOptions: true })
  const { OpenAPI, UsrCloudService } = generated.parse(
    await import(/* @vite-ignore */ pathToFileURL(join(folder, 'index.ts')).href),
  )
  Object.assign(OpenAPI, { BASE: server.base })
  const credentials = { username: 'li', password: toClientHash('li') }
  const { data } = signedIn.parse(await UsrCloudService.login({ requestBody: credentials }))
  Object.assign(OpenAPI, { HEADERS: { token: data.token } })
  const listed = await UsrCloudService.queryProjectList({ requestBody: { pageNo: 1, pageSize: 20 } })
  expect(listed).toMatchObject({
    info: 'ok',
    data: { list: [{ projectName: '集团', groupList: [] }], total: 1 },
  })
}, 60_000)
