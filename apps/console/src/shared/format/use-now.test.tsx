import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useNow } from './use-now.ts'

test('the time is the present one from the first moment, also after a while without any reader', () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  const first = renderHook(() => useNow())
  act(() => vi.advanceTimersByTime(5_000))
  expect(first.result.current).toBe(1_800_000_005_000)
  first.unmount()
  vi.advanceTimersByTime(60_000)
  const later = renderHook(() => useNow())
  expect(later.result.current).toBe(1_800_000_065_000)
  act(() => vi.advanceTimersByTime(1_000))
  expect(later.result.current).toBe(1_800_000_066_000)
})
