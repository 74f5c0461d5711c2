import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { afterEach, expect, test } from 'vitest'
import { watchConfig } from './watch-config.ts'

const CHECK_MS = 20
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const line = { driver: 'modbus-tcp', id: 'S1', host: 'plc', devices: [] }
const name = { tenant: 'demo', gateway: 'C-1' }

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-config-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Changes a file as a whole: who reads it meanwhile finds the old or the new content, never a part. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

/** Follows a place and collects what it gives and reports; `mayUse` says which configurations can be started. */
async function follow(
  place: Parameters<typeof watchConfig>[0]['place'],
  dataFolder = createFolder(),
  mayUse: (config: GatewayConfig) => boolean = () => true,
) {
  const problems: string[] = []
  const configs: GatewayConfig[] = []
  const state = { isRefused: false }
  const source = await watchConfig(
    { place, dataFolder, name },
    {
      report: (text) => problems.push(text),
      async use(config) {
        if (!mayUse(config)) throw new Error('it cannot be started')
        configs.push(config)
      },
      onRefused: (isRefused) => {
        state.isRefused = isRefused
      },
    },
    CHECK_MS,
  )
  closers.push(source.close)
  return { source, problems, configs, dataFolder, state, ids: () => configs.map(({ lines }) => lines[0]?.id) }
}

/** A server that answers as `answer` says. */
async function serve() {
  const answer = { data: undefined as unknown, message: 'success', requests: [] as string[] }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      answer.requests.push(`${request.headers.authorization} ${request.url} ${body}`)
      response.end(JSON.stringify({ message: answer.message, status: '200', data: answer.data }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  closers.push(close)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    answer,
    close,
    place: { kind: 'server', url: `http://127.0.0.1:${port}`, apiKey: 'ik_1' } as const,
  }
}

test('follows a file: a change is used, a wrong one is reported once and the former one stays', async () => {
  const path = join(createFolder(), 'gateway.json')
  writeFileSync(path, JSON.stringify({ v: 1, lines: [line] }))
  const { state, problems, configs, ids } = await follow({ kind: 'file', path })
  expect(configs[0]?.lines[0]).toMatchObject({ id: 'S1', port: 502 })
  const { host, ...withoutHost } = line
  for (const wrong of [{}, { ...withoutHost, hots: host }]) {
    replaceFile(path, JSON.stringify({ v: 1, lines: [wrong] }))
    await expect.poll(() => state.isRefused).toBe(true)
    replaceFile(path, JSON.stringify({ v: 1, lines: [line] }))
    await expect.poll(() => state.isRefused).toBe(false)
  }
  expect(problems).toEqual([
    expect.stringMatching(/^the configuration is wrong: .*driver/),
    expect.stringMatching(/^the configuration is wrong: .*hots/),
  ])
  replaceFile(path, JSON.stringify({ v: 1, lines: [{ ...line, id: 'S2' }] }))
  await expect.poll(ids).toEqual(['S1', 'S2'])
})

test('a file with settings that the gateway does not know is used without them, and they are reported', async () => {
  const path = join(createFolder(), 'gateway.json')
  const device = { serial: 'M1', address: '5', profile: 'heat-meter-cjt188', pollS: 60 }
  const listener = { port: 9000, idle: 5 }
  const write = (id: string): void =>
    replaceFile(
      path,
      JSON.stringify({
        v: 1,
        dtu: listener,
        lines: [{ ...line, id, hots: 'x', devices: [device] }],
        zone: 8,
      }),
    )
  write('S1')
  const { problems, configs, ids, state } = await follow({ kind: 'file', path })
  const known = { serial: 'M1', address: '5', profile: 'heat-meter-cjt188' }
  expect(configs[0]?.lines).toEqual([
    { driver: 'modbus-tcp', id: 'S1', host: 'plc', port: 502, answerS: 60, devices: [known] },
  ])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^the configuration has settings that this version does not know/)
  for (const name of ['dtu.idle', 'lines[0].hots', 'lines[0].devices[0].pollS', 'zone'])
    expect(problems[0]).toContain(name)
  write('S2')
  await expect.poll(ids).toEqual(['S1', 'S2'])
  expect(state.isRefused).toBe(false)
})

test('a setting of a newer server is ignored, also in the copy that a start without the server uses', async () => {
  const { answer, place, close } = await serve()
  answer.data = { id: 1, version: 1, config: { v: 1, lines: [line], later: { ofNextVersion: true } } }
  const { dataFolder, source: first, ids, problems } = await follow(place)
  expect(ids()).toEqual(['S1'])
  expect(problems).toEqual([expect.stringContaining('ignored: later')])
  first.close()
  await close()
  expect((await follow(place, dataFolder)).ids()).toEqual(['S1'])
})

test('of many unknown settings the first are named', async () => {
  const path = join(createFolder(), 'gateway.json')
  const unknown = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`later${index}`, 1]))
  writeFileSync(path, JSON.stringify({ v: 1, lines: [], ...unknown }))
  const { problems } = await follow({ kind: 'file', path })
  expect(problems).toEqual([expect.stringMatching(/later0, .*, later9 and 2 more$/)])
})

test('one that cannot be started is tried again, and after a restart the last one that could is used', async () => {
  const path = join(createFolder(), 'gateway.json')
  const write = (id: string): void => replaceFile(path, JSON.stringify({ v: 1, lines: [{ ...line, id }] }))
  write('S1')
  let isTaken = true
  const mayUse = ({ lines }: GatewayConfig): boolean => lines[0]?.id !== 'S2' || !isTaken
  const first = await follow({ kind: 'file', path }, createFolder(), mayUse)
  write('S2')
  await expect.poll(() => first.state.isRefused).toBe(true)
  first.source.close()
  const second = await follow({ kind: 'file', path }, first.dataFolder, mayUse)
  expect(second.ids()).toEqual(['S1'])
  expect(second.state.isRefused).toBe(true)
  expect(second.problems[0]).toBe('it cannot be started')
  isTaken = false
  await expect.poll(second.ids).toEqual(['S1', 'S2'])
  await expect.poll(() => second.state.isRefused).toBe(false)
})

test('follows the registry by company and serial, with the API key; nothing set means no lines', async () => {
  const { answer, place } = await serve()
  answer.data = { id: 1, version: 0, config: null }
  const { configs, ids } = await follow(place)
  expect(configs[0]?.lines).toEqual([])
  expect(answer.requests[0]).toBe(
    'Bearer ik_1 /ht-api/api/Dev/GetGatewayConfig {"imei":"C-1","tenant":"demo"}',
  )
  answer.data = { id: 1, version: 1, config: { v: 1, lines: [line] } }
  await expect.poll(ids).toEqual([undefined, 'S1'])
})

test('follows no redirect: another host gets no key and gives no lines', async () => {
  const { answer, place } = await serve()
  answer.data = { id: 1, version: 1, config: { v: 1, lines: [line] } }
  const detour = createServer((request, response) =>
    response.writeHead(307, { Location: `${place.url}${request.url}` }).end(),
  )
  await new Promise<void>((resolve) => detour.listen(0, '127.0.0.1', resolve))
  closers.push(() => detour.close())
  const { port } = detour.address() as AddressInfo
  await expect(follow({ ...place, url: `http://127.0.0.1:${port}` })).rejects.toThrow(
    'the address leads to another one (status 307): set the final address of the server',
  )
  expect(answer.requests).toEqual([])
})

test('starts with the last configuration while the server is away', async () => {
  const { answer, place, close } = await serve()
  answer.data = { id: 1, version: 1, config: { v: 1, lines: [line] } }
  const { dataFolder, source: first } = await follow(place)
  first.close()
  await close()
  const { ids, problems } = await follow(place, dataFolder)
  expect(ids()).toEqual(['S1'])
  expect(problems[0]).toMatch(/ECONNREFUSED.*; the last configuration is used$/)
})

test('a copy that is damaged is none', async () => {
  const { place, close } = await serve()
  await close()
  const dataFolder = createFolder()
  writeFileSync(join(dataFolder, 'config.json'), '{"v":1,"lin')
  await expect(follow(place, dataFolder)).rejects.toThrow('ECONNREFUSED')
})

test('reports why it cannot start: the server refuses, and there is no former configuration', async () => {
  const { answer, place } = await serve()
  answer.message = 'Device not found'
  await expect(follow(place)).rejects.toThrow('the server refused the configuration: Device not found')
})
