import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { afterEach, expect, test } from 'vitest'
import { followConfig } from './follow-config.ts'

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

/** Follows a place and collects what it gives and reports. */
async function follow(place: Parameters<typeof followConfig>[0]['place'], dataFolder = createFolder()) {
  const problems: string[] = []
  const configs: GatewayConfig[] = []
  const source = await followConfig({ place, dataFolder, name }, (text) => problems.push(text), CHECK_MS)
  closers.push(source.close)
  source.onChange(async (config) => {
    configs.push(config)
  })
  return { source, problems, configs, dataFolder }
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
  const { source, problems, configs } = await follow({ kind: 'file', path })
  expect(source.config.lines[0]).toMatchObject({ id: 'S1', port: 502 })
  writeFileSync(path, '{"v":1,"lines":[{}]}')
  await expect.poll(() => problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^the configuration is wrong: .*driver/)
  writeFileSync(path, JSON.stringify({ v: 1, lines: [{ ...line, id: 'S2' }] }))
  await expect.poll(() => configs.map(({ lines }) => lines[0]?.id)).toEqual(['S2'])
  expect(problems).toHaveLength(2)
})

test('follows the registry by company and serial, with the API key; nothing set means no lines', async () => {
  const { answer, place } = await serve()
  answer.data = { id: 1, version: 0, config: null }
  const { source, configs } = await follow(place)
  expect(source.config.lines).toEqual([])
  expect(answer.requests[0]).toBe(
    'Bearer ik_1 /ht-api/api/Dev/GetGatewayConfig {"imei":"C-1","tenant":"demo"}',
  )
  answer.data = { id: 1, version: 1, config: { v: 1, lines: [line] } }
  await expect.poll(() => configs.map(({ lines }) => lines[0]?.id)).toEqual(['S1'])
})

test('starts with the last configuration while the server is away', async () => {
  const { answer, place, close } = await serve()
  answer.data = { id: 1, version: 1, config: { v: 1, lines: [line] } }
  const { dataFolder, source: first } = await follow(place)
  first.close()
  await close()
  const { source, problems } = await follow(place, dataFolder)
  expect(source.config.lines[0]?.id).toBe('S1')
  expect(problems[0]).toMatch(/ECONNREFUSED.*; the last configuration is used$/)
})

test('says why it cannot start: the server refuses, and there is no former configuration', async () => {
  const { answer, place } = await serve()
  answer.message = 'Device not found'
  await expect(follow(place)).rejects.toThrow('the server refused the configuration: Device not found')
})
