import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordIncidents } from './incidents.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a fault explains what goes wrong until a minute after its end, and nothing else', async () => {
  const incidents = recordIncidents()
  incidents.add('before')
  vi.advanceTimersByTime(1)
  await incidents.explain(async () => {
    incidents.add('during')
    vi.advanceTimersByTime(20_000)
  })
  vi.advanceTimersByTime(60_000)
  incidents.add('just after')
  vi.advanceTimersByTime(1)
  incidents.add('later')
  expect(incidents.countExplained()).toBe(2)
  expect(incidents.listUnexplained().map(({ what }) => what)).toEqual(['before', 'later'])
})
