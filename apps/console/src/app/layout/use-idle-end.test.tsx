import { recordActivity } from '@isotherm/contract/endpoints/administration/session'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { act, fireEvent, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { useIdleEnd } from './use-idle-end.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})

const wait = (minutes: number) => act(() => vi.advanceTimersByTimeAsync(minutes * MINUTE_MS))

async function start(idleMinutes: number) {
  const api = startFakeApi()
  api.answer(recordActivity, { idleMinutes })
  const onIdle = vi.fn()
  renderHook(() => useIdleEnd(onIdle))
  await wait(0.1)
  return { onIdle, reports: () => api.calls(recordActivity).length }
}

test('after the time without input the session ends', async () => {
  const { onIdle } = await start(15)
  await wait(15.5)
  expect(onIdle).not.toHaveBeenCalled()
  await wait(1)
  expect(onIdle).toHaveBeenCalled()
})

test('input of this tab or another one keeps it, and is reported at most once a minute', async () => {
  const { onIdle, reports } = await start(15)
  for (let minute = 0; minute < 30; minute += 1) {
    fireEvent.keyDown(window, { key: 'a' })
    fireEvent.pointerDown(window)
    await wait(1)
  }
  expect(reports()).toBeGreaterThan(20)
  expect(reports()).toBeLessThanOrEqual(32)
  await wait(10)
  localStorage.setItem('isotherm.activeAt', String(Date.now()))
  await wait(10)
  expect(onIdle).not.toHaveBeenCalled()
})

test('without such a rule nothing ends', async () => {
  const { onIdle, reports } = await start(0)
  await wait(300)
  expect(onIdle).not.toHaveBeenCalled()
  expect(reports()).toBe(1)
})
