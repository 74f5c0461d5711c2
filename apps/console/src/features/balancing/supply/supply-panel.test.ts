import type { Supply } from '@isotherm/contract/endpoints/control/supplies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SupplyPanel } from './supply-panel.tsx'
import { supplyQuery } from './supply-query.ts'

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null }))
afterAll(() => vi.unstubAllGlobals())

const supply: Supply = {
  deviceId: 1,
  deviceName: '一号站控',
  nestaddr: '集团,公司,一号站',
  version: 0,
  takesOffset: true,
  supplyC: 44.1,
  targetC: 44,
  offsetK: -2,
  limits: { minOffsetK: -8, maxOffsetK: 8, maxStepK: 3 },
  abilities: ['set-offset'],
}

const hold: NonNullable<Supply['hold']> = {
  id: 7,
  deviceId: 1,
  deviceName: '一号站控',
  nestaddr: '集团,公司,一号站',
  priority: 'manual',
  offsetK: -2,
  actor: 'dispatcher',
  reason: 'cold front',
  since: 0,
  until: HOUR_MS,
}

const sent: NonNullable<Supply['command']> = {
  id: 'c',
  batchId: 'b',
  deviceId: 1,
  deviceName: '一号站控',
  nestaddr: '集团,公司,一号站',
  kind: 'supply.set',
  offsetK: -2,
  previousK: 0,
  state: 'confirmed',
  resultCode: 0,
  priority: 'manual',
  actor: 'dispatcher',
  reason: '',
  createdAt: 0,
  updatedAt: 0,
  expiresAt: 0,
  reached: {},
}

function draw(shown: Supply): string {
  const client = new QueryClient()
  client.setQueryData(supplyQuery(1).queryKey, shown)
  const panel = createElement(SupplyPanel, { deviceId: 1 })
  return renderToString(createElement(QueryClientProvider, { client }, panel))
}

test('a user with control permission may order an offset with hold and priority; others only see it', () => {
  const mine = draw(supply)
  expect(mine).toContain('supply-send')
  expect(mine).toContain('hold-choice')
  expect(mine).toContain('priority-choice')
  const theirs = draw({ ...supply, abilities: [] })
  expect(theirs).not.toContain('supply-send')
  expect(theirs).toContain('supply-offset')
})

test('a station whose controller accepts no offset is set by hand: advice instead of a form', () => {
  const { offsetK: _, ...without } = supply
  const drawn = draw({ ...without, takesOffset: false, abilities: ['set-limits'] })
  expect(drawn).toContain('supply-by-hand')
  expect(drawn).not.toContain('supply-send')
  expect(drawn).toContain('supply-limits')
  expect(draw(supply)).not.toContain('supply-by-hand')
})

test('the last command shows both offsets and its state', () => {
  const drawn = draw({ ...supply, command: sent })
  expect(drawn).toMatch(/0\.0.K → .2\.0.K/)
  expect(drawn).toContain('badge-good')
})

test('a held offset shows who holds it and why, and may be released with permission', () => {
  const mine = draw({ ...supply, hold })
  expect(mine).toContain('supply-hold')
  expect(mine).toContain('cold front')
  expect(mine).toContain('release-hold')
  expect(draw({ ...supply, hold, abilities: [] })).not.toContain('release-hold')
})
