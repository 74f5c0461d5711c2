import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { NOW, sampleHold } from '../../../shared/devices/valve-samples.testkit.ts'
import { applyHoldEvents, toHoldOf } from './hold-cache.ts'
import { holdKeys } from './hold-queries.ts'
import type { HoldEvent } from './lost-holds.ts'

const toEvent = (over: Partial<HoldEvent> = {}): HoldEvent => ({ type: 'hold', hold: sampleHold(), ...over })
const key = holdKeys.below([])

function createCache() {
  const client = new QueryClient()
  client.setQueryData(key, [sampleHold(), sampleHold({ id: 6, deviceId: 2 })])
  return client
}

test('an ended hold is removed at once, without a fetch', () => {
  const client = createCache()
  applyHoldEvents(client, [toEvent({ ended: 'released', by: 'admin' })])
  expect(client.getQueryData(key)).toEqual([sampleHold({ id: 6, deviceId: 2 })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(false)
})

test('a new hold makes the lists be fetched again', () => {
  const client = createCache()
  applyHoldEvents(client, [toEvent({ hold: sampleHold({ id: 7, deviceId: 3 }) })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})

test('a hold counts as ended at its end time, before the server reports it', () => {
  expect([...toHoldOf([sampleHold({ until: NOW })], NOW)]).toEqual([])
  expect(toHoldOf([sampleHold()], NOW).get(1)).toMatchObject({ actor: 'dispatcher' })
})
