import { render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useSession } from '../../shared/session/session-store.ts'
import { findPage, pages } from '../pages.ts'
import { usePrefetch } from './use-prefetch.ts'

const VALVES = '/ewph/fmreal'

function Shell() {
  usePrefetch()
  return null
}

/** Renders the hook for a user of the live valve page. Returns the paths of the loaded pages. */
function renderShell(): readonly string[] {
  const loaded: string[] = []
  for (const page of pages) {
    vi.spyOn(page, 'load').mockImplementation(() => {
      loaded.push(page.path)
      return Promise.reject(new Error('this test loads no code'))
    })
  }
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const page = findPage(VALVES)
  useSession.setState({ permitted: new Set([page?.permission ?? '', page?.group ?? '']) })
  render(<Shell />)
  return loaded
}

test('permitted pages are loaded ahead once the console has been idle', async () => {
  vi.useFakeTimers()
  const loaded = renderShell()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(loaded).toEqual([])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(loaded).toContain(VALVES)
  expect(loaded).not.toContain('/ewph/fmhistory')
})

test('a browser that saves data loads no page ahead', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', Object.create(navigator, { connection: { value: { saveData: true } } }))
  const loaded = renderShell()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(loaded).toEqual([])
})
