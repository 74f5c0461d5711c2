import { MINUTE_MS } from '@isotherm/kernel/durations'
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toRefreshInMs } from './history-refresh.ts'

const lastHour = { kind: 'last', preset: '1h' } as const

beforeEach(() => {
  vi.useFakeTimers()
  // Without a window the library asks for nothing by itself.
  environmentManager.setIsServer(() => false)
})
afterEach(() => {
  environmentManager.setIsServer(() => true)
  vi.useRealTimers()
})

test('a range that follows now is fetched again in time however often readings join it', async () => {
  const client = new QueryClient()
  const queryKey = ['curves']
  const fetch = vi.fn(async () => ['fetched'])
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: fetch,
    refetchInterval: ({ state }) => toRefreshInMs(lastHour, state.dataUpdatedAt, Date.now()),
  })
  const stop = observer.subscribe(() => {})
  const letReadingsJoin = async (count: number) => {
    for (let joined = 0; joined < count; joined += 1) {
      await vi.advanceTimersByTimeAsync(10_000)
      const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0
      client.setQueryData(queryKey, [`joined ${joined}`], { updatedAt })
    }
  }
  await letReadingsJoin(17)
  expect(fetch).toHaveBeenCalledTimes(1)
  await letReadingsJoin(2)
  expect(fetch).toHaveBeenCalledTimes(2)
  stop()
})

test('a range that stands still is not fetched again', () => {
  expect(toRefreshInMs({ kind: 'fixed', from: 0, to: MINUTE_MS }, 0, 9e9)).toBe(false)
})

test('one that is overdue waits a moment, so that a server that fails is not stormed', () => {
  expect(toRefreshInMs(lastHour, 0, 9e9)).toBe(10_000)
})
