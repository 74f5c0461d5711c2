import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { sampleDevice } from '../../../shared/devices/valve-samples.testkit.ts'
import { valvesQuery } from './valves-query.ts'

afterEach(() => vi.unstubAllGlobals())

const asking = z.object({ limiter: z.object({ page: z.number() }) })

/** A server with two pages of one valve each. It delays the second page until `release`. */
function startServer() {
  const requested: number[] = []
  const held = Promise.withResolvers<void>()
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (_: unknown, init: { body: string; signal: AbortSignal }) => {
    const { page } = asking.parse(JSON.parse(init.body)).limiter
    requested.push(page)
    if (page === 2) {
      const gone = Promise.withResolvers<never>()
      init.signal.addEventListener('abort', () => gone.reject(init.signal.reason))
      await Promise.race([held.promise, gone.promise])
    }
    const data = { datalist: [sampleDevice({ id: page })], total: 2 }
    return Response.json({ message: 'success', status: '200', data })
  })
  return { requested, release: () => held.resolve() }
}

test('a list that was left half-loaded is complete after the return', async () => {
  const server = startServer()
  const client = new QueryClient()
  const open = () => {
    const observer = new QueryObserver(client, valvesQuery(['4']))
    const close = observer.subscribe(() => undefined)
    return { close, read: () => observer.getCurrentResult().data }
  }
  const first = open()
  await expect.poll(first.read).toMatchObject({ devices: [{ id: 1 }], isWhole: false })
  first.close()
  const second = open()
  server.release()
  await expect.poll(second.read).toMatchObject({ devices: [{ id: 1 }, { id: 2 }], isWhole: true })
  second.close()
  const third = open()
  expect(third.read()).toMatchObject({ isWhole: true })
  expect(server.requested).toEqual([1, 2, 1, 2])
  third.close()
})
