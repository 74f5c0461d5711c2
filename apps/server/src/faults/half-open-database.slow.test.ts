import { endpoints } from '@isotherm/contract/endpoints/all'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { expect, onTestFinished, test } from 'vitest'
import { createTestField } from '../modules/telemetry/server.testkit.ts'
import { isRunning, kill, launchServer } from '../testing/server-process.testkit.ts'
import { startLink } from './link.testkit.ts'
import { signIn } from './people.testkit.ts'

/** More than the pool has connections. */
const CALLS = 20
/** A call waits 4 s for its answer, then the server asks PostgreSQL; 5 s for a free connection. Twice that on a loaded machine. */
const CLEAR_MS = 20_000
const SETTLED = { timeout: 60_000, interval: 500 }

test('when all connections to PostgreSQL are silently dropped, calls fail clearly within seconds and then work again, without a restart', {
  timeout: 240_000,
}, async () => {
  const field = await createTestField(1)
  const { DATABASE_URL: url = '' } = field.env
  const link = await startLink(Number(new URL(url).port))
  const server = await launchServer({ ...field.env, DATABASE_URL: link.lead(url) })
  onTestFinished(async () => {
    await kill(server.child)
    await link.close()
    await field.close()
  })
  const person = await signIn(server.base)
  const callAll = () =>
    Promise.all(Array.from({ length: CALLS }, () => person.call(endpoints.getAlarms, { nodes: [ROOT_KEY] })))
  // Until all connections of the pools are open.
  expect((await callAll()).map(({ code }) => code)).toEqual(Array(CALLS).fill(undefined))

  link.vanish()
  const startedMs = performance.now()
  const during = await callAll()
  for (const { code } of during) expect([undefined, 'server.unavailable']).toContain(code)
  expect(Math.max(...during.map(({ ms }) => ms))).toBeLessThan(CLEAR_MS)
  const countRefused = async () => (await callAll()).filter(({ code }) => code !== undefined).length
  await expect.poll(countRefused, SETTLED).toBe(0)
  const backMs = performance.now() - startedMs
  expect(backMs).toBeLessThan(2 * CLEAR_MS)
  expect(isRunning(server.child)).toBe(true)
  const seen = during.map(({ code, ms }) => `${code ?? 'ok'} ${(ms / 1_000).toFixed(1)} s`)
  console.log(`${[...new Set(seen)].join(', ')}; all answer after ${(backMs / 1_000).toFixed(1)} s`)
})
