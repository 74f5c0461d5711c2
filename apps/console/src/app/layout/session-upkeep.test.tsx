import { reflushToken, refreshToken } from '@isotherm/contract/endpoints/administration/session'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { findTab, goWithin, renderConsole } from '../testing/render-console.testkit.tsx'

test('§9 after 90 minutes the tokens are exchanged', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await renderConsole({ role: 'irrigation' })
  await screen.findByTestId('user-menu')
  const before = [localStorage.getItem('heighten'), localStorage.getItem('heightenplus')]
  vi.setSystemTime(Date.now() + 91 * MINUTE_MS)
  vi.advanceTimersByTime(MINUTE_MS)
  await waitFor(() => expect(localStorage.getItem('heightenplus')).not.toBe(before[1]))
  await waitFor(() => expect(localStorage.getItem('isotherm.refreshing')).toBeNull())
  expect(localStorage.getItem('heighten')).not.toBe(before[0])
  expect(Number(localStorage.getItem('ExpiresAt'))).toBeGreaterThan(Date.now() + 118 * MINUTE_MS)
  vi.advanceTimersByTime(2 * MINUTE_MS)
  expect(api.calls(refreshToken)).toHaveLength(1)
  expect(api.calls(reflushToken)).toHaveLength(1)
})

test('S3: a refresh that fails in the network is retried until it works', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await renderConsole({ role: 'irrigation' })
  await screen.findByTestId('user-menu')
  const before = localStorage.getItem('heightenplus')
  api.disconnect(reflushToken)
  vi.setSystemTime(Date.now() + 91 * MINUTE_MS)
  vi.advanceTimersByTime(MINUTE_MS)
  await waitFor(() => expect(api.calls(reflushToken).length).toBeGreaterThan(0))
  await waitFor(() => expect(localStorage.getItem('isotherm.refreshing')).toBeNull())
  expect(localStorage.getItem('heightenplus')).toBe(before)
  api.resume(reflushToken)
  vi.advanceTimersByTime(MINUTE_MS)
  await waitFor(() => expect(localStorage.getItem('heightenplus')).not.toBe(before))
})

test('a banner states since when data are outdated, and everything continues automatically', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await renderConsole({ role: 'dispatcher' })
  await screen.findByTestId('user-menu')
  api.network('down')
  await goWithin('/ewph/fmcontrol')
  await findTab('/ewph/fmcontrol')
  vi.advanceTimersByTime(4_000)
  await waitFor(() => expect(screen.getByTestId('live-lost').textContent).toMatch(/数据停留在/))
  api.network('up')
  vi.advanceTimersByTime(6_000)
  await waitFor(() => expect(screen.queryByTestId('live-lost')).toBeNull())
})

test('§8 error toasts of 5 s do not pile up', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await renderConsole({ role: 'dispatcher' })
  await screen.findByTestId('user-menu')
  api.network('down')
  const listToasts = () => document.querySelectorAll('.ant-message-error')
  for (const path of ['/ewph/fmhistory', '/ewph/fmcontrol', '/ewph/fmreal']) {
    await goWithin(path)
    await findTab(path)
  }
  await waitFor(() => expect(listToasts().length).toBeGreaterThan(0))
  expect(listToasts().length).toBeLessThanOrEqual(2)
  // While the network is down, each call that is tried again shows another toast.
  api.network('up')
  // A call that failed just before may still show its toast, so the clock goes on until all are gone.
  await vi.waitFor(
    () => {
      vi.advanceTimersByTime(1_000)
      expect(listToasts()).toHaveLength(0)
    },
    { timeout: 20_000 },
  )
})
