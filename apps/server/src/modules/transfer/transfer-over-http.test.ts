import { once } from 'node:events'
import { permissions } from '@isotherm/contract/access/permissions'
import { toUrlPath, WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { type Transfer, transfer } from '@isotherm/contract/transfer'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'
import { createWorkbook, joinBytes, type Rows, readWorkbook } from './transfer.testkit.ts'

let server: TestServer
let token: string
let companyId: number

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('staff', permissions, [], 'provider')
  await server.createAccount('other', permissions, ['p'])
  token = (await server.logIn('staff'))['ht-api']
  companyId = (await server.db.selectFrom('company').select('id').executeTakeFirstOrThrow()).id
})

afterAll(() => server.stop())

async function upload(body: Uint8Array<ArrayBuffer>, by = token): Promise<unknown> {
  const url = new URL(`${toUrlPath(endpoints.uploadTransfer)}?fileName=a.xlsx`, server.base)
  const headers = { Authorization: `Bearer ${by}`, 'Content-Type': WORKBOOK_TYPE, 'Accept-Language': 'en' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return response.json()
}

async function uploadRows(rows: Rows): Promise<Transfer> {
  return z.object({ data: transfer }).parse(await upload(await joinBytes(createWorkbook(rows)))).data
}

async function download(name: 'exportCompany' | 'getTemplate', input: unknown, language = 'zh') {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return fetch(new URL(toUrlPath(endpoints[name]), server.base), {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { ...headers, 'Accept-Language': language },
  })
}

async function listen(of: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token: of }))
  await expect.poll(() => events.map(({ type }) => type)).toContain('welcome')
  return { events, close: () => socket.close() }
}

const rows: Rows = {
  structure: ['1', '2', '3'].map((name) => ({
    project: '集团',
    company: '公司',
    station: '一号站',
    residentialArea: '新区',
    building: `${name}幢`,
  })),
}

test('§7 Dev: ExcelAdd imports an uploaded workbook, and its account receives live progress', async () => {
  const mine = await listen(token)
  const theirs = await listen((await server.logIn('other'))['ht-api'])
  const { id, version, state } = await uploadRows(rows)
  expect(state).toBe('uploaded')
  const input = { transferId: id, version, dryRun: false, companyId }
  const answer = await server.call(endpoints.excelAdd, input, token)
  expect(transfer.parse(answer.data).state).toBe('checking')
  const done = { type: 'transfer', id, state: 'done', done: 3, total: 3, failed: 0 }
  await vi.waitFor(() => expect(mine.events).toContainEqual(done), { timeout: 30_000 })
  // The other account receives an event for all accounts, so no event of the import can still be in transit.
  await expect.poll(() => theirs.events.map(({ type }) => type)).toContain('structure')
  expect(theirs.events.map(({ type }) => type)).not.toContain('transfer')
  mine.close()
  theirs.close()
})

test('an export is a workbook file with a name, and a refusal has the usual envelope', async () => {
  const response = await download('exportCompany', { companyId })
  expect(response.headers.get('content-type')).toBe(WORKBOOK_TYPE)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''%E5%AF%BC/)
  if (!response.body) throw new Error('no body')
  const { 结构: structure } = await readWorkbook(response.body)
  expect(structure?.length).toBeGreaterThan(9)
  const refused = await download('exportCompany', { node: '987654321' })
  expect(await refused.json()).toMatchObject({ status: '2001', code: 'node.not-found' })
})

test('a file that is too large or not a workbook is refused, and nothing of it stays', async () => {
  const large = await upload(new Uint8Array(51 * 1024 * 1024))
  expect(large).toMatchObject({ code: 'request.too-large' })
  expect(await upload(new TextEncoder().encode('serial,kind'))).toMatchObject({ code: 'transfer.unreadable' })
  expect(await upload(new Uint8Array())).toMatchObject({ code: 'transfer.unreadable' })
  const left = await server.db.selectFrom('transfer').select('state').execute()
  expect(left.map(({ state }) => state)).not.toContain('uploading')
})

test('an import does not exist for other accounts', async () => {
  const { id, version } = await uploadRows(rows)
  const others = (await server.logIn('other'))['ht-api']
  const limiter = { page: 1, size: 10 }
  for (const [endpoint, input] of [
    [endpoints.getTransferRows, { transferId: id, limiter }],
    [endpoints.downloadFailed, { transferId: id }],
    [endpoints.cancelTransfer, { transferId: id, version }],
  ] as const) {
    expect((await server.call(endpoint, input, others)).code).toBe('transfer.not-found')
  }
})

test('an upload needs a session and a permission like any call', async () => {
  const bytes = new TextEncoder().encode('PK')
  expect(await upload(bytes, 'nobody')).toMatchObject({ code: 'session.expired' })
  await server.createAccount('watcher', ['pe-fmreal'], ['p'])
  const watcher = (await server.logIn('watcher'))['ht-api']
  expect(await upload(bytes, watcher)).toMatchObject({ code: 'access.denied' })
})
