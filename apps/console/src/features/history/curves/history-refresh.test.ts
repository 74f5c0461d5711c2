import { MINUTE_MS } from '@isotherm/kernel/durations'
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toRefreshInMs } from './history-refresh.ts'

const lastHour = { kind: 'last', preset: '1h' } as const

beforeEach(() => {
  vi.useFakeTimers()
  // Without a window the library does not poll.
  environmentManager.setIsServer(() => false)
})
afterEach(() => {
  environmentManager.setIsServer(() => true)
  vi.useRealTimers()
})

test('a range that ends now is fetched again in time, however often live readings are appended', async () => {
  const client = new QueryClient()
  const queryKey = ['curves']
  const fetch = vi.fn(async () => ['fetched'])
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: fetch,
    refetchInterval: ({ state }) => toRefreshInMs(lastHour, state.dataUpdatedAt, Date.now()),
  })
  const stop = observer.subscribe(() => {})
  const appendReadings = async (count: number) => {
    for (let appended = 0; appended < count; appended += 1) {
      await vi.advanceTimersByTimeAsync(10_000)
      const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0
      client.setQueryData(queryKey, [`appended ${appended}`], { updatedAt })
    }
  }
  await appendReadings(17)
  expect(fetch).toHaveBeenCalledTimes(1)
  await appendReadings(2)
  expect(fetch).toHaveBeenCalledTimes(2)
  stop()
})

test('a fixed range is not fetched again', () => {
  expect(toRefreshInMs({ kind: 'fixed', from: 0, to: MINUTE_MS }, 0, 9e9)).toBe(false)
})

test('an overdue range waits before the next fetch, so that a failing server is not flooded', () => {
  expect(toRefreshInMs(lastHour, 0, 9e9)).toBe(10_000)
})
