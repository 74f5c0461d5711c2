import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { sampleDevice } from '../../../shared/devices/valve-samples.testkit.ts'
import { devicesByIdQuery } from './devices-by-id-query.ts'

afterEach(() => vi.unstubAllGlobals())

/** A server that knows the valves with ids up to `last`. Returns the requested id lists. */
function startServer(last: number) {
  const requested: string[] = []
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (_: unknown, init: { body: string }) => {
    const { filter, limiter } = getThreeSelectNewRealDev.input.parse(JSON.parse(init.body))
    const text = String(filter[0]?.vstd)
    requested.push(text)
    const ids = text.split(',').map(Number)
    const datalist = ids.filter((id) => id <= last).map((id) => ({ device: sampleDevice({ id }) }))
    const data = { datalist: datalist.slice(0, limiter.size), total: datalist.length }
    return Response.json({ message: 'success', status: '200', data })
  })
  return requested
}

const find = async (ids: readonly number[]) =>
  (await new QueryClient().fetchQuery(devicesByIdQuery(ids))).map(({ id }) => id)

test('valves outside the access of the user are missing, the others are found', async () => {
  const requested = startServer(7)
  expect(await find([5, 9, 7])).toEqual([5, 7])
  expect(requested).toEqual(['5,9,7'])
})

test('many ids are fetched in parts that the contract accepts', async () => {
  const requested = startServer(Number.MAX_SAFE_INTEGER)
  const ids = Array.from({ length: 250 }, (_, index) => 999_999_999_999_000 + index)
  expect(await find(ids)).toEqual(ids)
  expect(requested.map((text) => text.split(',').length)).toEqual([100, 100, 50])
})
