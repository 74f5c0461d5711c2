import type { Pump } from '@isotherm/contract/endpoints/control/pumps'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PumpPanel } from './pump-panel.tsx'
import { pumpQuery } from './pump-query.ts'

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null }))
afterAll(() => vi.unstubAllGlobals())

const pump: Pump = {
  deviceId: 1,
  deviceName: '一号站控',
  nestaddr: '集团,公司,一号站',
  version: 0,
  takesHead: true,
  headKpa: 82,
  limits: { minHeadKpa: 30, maxHeadKpa: 350, maxStepKpa: 80 },
  abilities: ['set-head'],
}

const hold: NonNullable<Pump['hold']> = {
  id: 7,
  deviceId: 1,
  deviceName: '一号站控',
  nestaddr: '集团,公司,一号站',
  priority: 'manual',
  headKpa: 90,
  actor: 'dispatcher',
  reason: 'frost',
  since: 0,
  until: HOUR_MS,
}

function draw(shown: Pump): string {
  const client = new QueryClient()
  client.setQueryData(pumpQuery(1).queryKey, shown)
  const panel = createElement(PumpPanel, { deviceId: 1 })
  return renderToString(createElement(QueryClientProvider, { client }, panel))
}

test('the head form has fields for hold duration and priority', () => {
  const drawn = draw(pump)
  expect(drawn).toContain('hold-choice')
  expect(drawn).toContain('priority-choice')
})

test('a user with control permission may release a held head; others see who holds it and why', () => {
  const mine = draw({ ...pump, hold })
  expect(mine).toContain('pump-hold')
  expect(mine).toContain('frost')
  expect(mine).toContain('release-hold')
  const theirs = draw({ ...pump, hold, abilities: [] })
  expect(theirs).toContain('pump-hold')
  expect(theirs).not.toContain('release-hold')
  expect(draw(pump)).not.toContain('pump-hold')
})

test('the head form stays while the pump cannot be refetched, with a note', () => {
  const client = new QueryClient()
  const query = client.getQueryCache().build(client, { queryKey: pumpQuery(1).queryKey })
  query.setData(pump)
  query.setState({ status: 'error', error: new Error('unreachable') })
  const panel = createElement(PumpPanel, { deviceId: 1 })
  const drawn = renderToString(createElement(QueryClientProvider, { client }, panel))
  expect(drawn).toContain('pump-send')
  expect(drawn).toContain('answer-old')
})
