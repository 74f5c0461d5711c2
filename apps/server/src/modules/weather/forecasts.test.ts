import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test, vi } from 'vitest'
import { createForecasts } from './forecasts.ts'
import { readSource } from './read-source.ts'

const HOUR = { hourly: { time: [3600], temperature_2m: [-7] } }
const URL_A = 'http://weather.example/a?key=secret'

function create(read: (url: string) => Promise<unknown>) {
  let now = 0
  const warnings: object[] = []
  const log = { warn: (...[fields]: [object, string]) => void warnings.push(fields) }
  const forecasts = createForecasts({ now: () => now, elapsed: () => now }, log as never, read)
  const wait = (minutes: number) => {
    now += minutes * MINUTE_MS
  }
  return { forecasts, warnings, wait }
}

test('calls at once read the source once, and later ones only when half an hour has passed', async () => {
  const read = vi.fn(() => Promise.resolve(HOUR))
  const { forecasts, wait } = create(read)
  const [first, second] = await Promise.all([forecasts.find(URL_A), forecasts.find(URL_A)])
  expect(first).toEqual({ readAt: 0, values: [{ at: 3_600_000, outdoorC: -7 }] })
  expect(second).toBe(first)
  wait(29)
  await forecasts.find(URL_A)
  expect(read).toHaveBeenCalledTimes(1)
  wait(1)
  expect(await forecasts.find(URL_A)).toBe(first)
  await vi.waitFor(async () => expect((await forecasts.find(URL_A))?.readAt).toBe(30 * MINUTE_MS), {
    timeout: 30_000,
  })
  expect(read).toHaveBeenCalledTimes(2)
})

test('what is known is found without waiting for the source', async () => {
  const { promise, resolve } = Promise.withResolvers()
  const { forecasts } = create(() => promise)
  expect(forecasts.findNow(URL_A)).toBe('reading')
  resolve(HOUR)
  await vi.waitFor(() => expect(forecasts.findNow(URL_A)).toMatchObject({ values: [{ outdoorC: -7 }] }), {
    timeout: 30_000,
  })

  const { forecasts: failing } = create(() => Promise.reject(new Error('no route')))
  expect(failing.findNow(URL_A)).toBe('reading')
  await vi.waitFor(() => expect(failing.findNow(URL_A)).toBeUndefined(), { timeout: 30_000 })
})

test('a failing source keeps its last forecast, is tried again after five minutes, and its key is not logged', async () => {
  let answer: () => Promise<unknown> = () => Promise.reject(new Error('no route'))
  const read = vi.fn(() => answer())
  const { forecasts, warnings, wait } = create(read)
  expect(await forecasts.find(URL_A)).toBeUndefined()
  wait(4)
  expect(await forecasts.find(URL_A)).toBeUndefined()
  expect(read).toHaveBeenCalledTimes(1)
  answer = () => Promise.resolve(HOUR)
  wait(1)
  expect((await forecasts.find(URL_A))?.values).toHaveLength(1)
  answer = () => Promise.resolve({ error: true, reason: 'too many calls' })
  wait(31)
  await forecasts.find(URL_A)
  await vi.waitFor(() => expect(warnings).toHaveLength(2), { timeout: 30_000 })
  expect((await forecasts.find(URL_A))?.values).toHaveLength(1)
  expect(JSON.stringify(warnings)).not.toContain('secret')
})

test('a source is an http address or a file, and neither may be endless', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/short') response.end(JSON.stringify(HOUR))
    else if (request.url === '/long') response.end('1'.repeat(1_000_001))
    else if (request.url === '/elsewhere') response.writeHead(302, { Location: '/short' }).end()
    else response.writeHead(400).end('{"error":true,"reason":"bad place"}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = await mkdtemp(join(tmpdir(), 'forecast-'))
  const file = join(folder, 'forecast.json')
  await writeFile(file, JSON.stringify(HOUR))
  try {
    expect(await readSource(`${base}/short`)).toEqual(HOUR)
    await expect(readSource(`${base}/long`)).rejects.toThrow(/longer than/)
    await expect(readSource(`${base}/wrong`)).rejects.toThrow(/status 400.*bad place/)
    // Only the configured address is read.
    await expect(readSource(`${base}/elsewhere`)).rejects.toThrow(
      'the address leads to another one (status 302): set the final address',
    )
    expect(await readSource(pathToFileURL(file).href)).toEqual(HOUR)
    await writeFile(file, 'not JSON')
    await expect(readSource(pathToFileURL(file).href)).rejects.toThrow(/not JSON/)
    await expect(readSource('file:///dev/zero')).rejects.toThrow(/not a file/)
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})
