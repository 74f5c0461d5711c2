import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { NOW, sampleHold } from '../rows/valve-samples.testkit.ts'
import { applyHoldNews, toHoldOf } from './hold-cache.ts'
import { holdKeys } from './hold-queries.ts'
import type { HoldNews } from './lost-holds.ts'

const toNews = (over: Partial<HoldNews> = {}): HoldNews => ({ type: 'hold', hold: sampleHold(), ...over })
const key = holdKeys.below([])

function createCache() {
  const client = new QueryClient()
  client.setQueryData(key, [sampleHold(), sampleHold({ id: 6, deviceId: 2 })])
  return client
}

test('a hold that ended is gone at once, without asking', () => {
  const client = createCache()
  applyHoldNews(client, [toNews({ ended: 'released', by: 'admin' })])
  expect(client.getQueryData(key)).toEqual([sampleHold({ id: 6, deviceId: 2 })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(false)
})

test('a hold that began is asked for', () => {
  const client = createCache()
  applyHoldNews(client, [toNews({ hold: sampleHold({ id: 7, deviceId: 3 }) })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})

test('a hold whose time is up stands no more, whether or not the server said so yet', () => {
  expect([...toHoldOf([sampleHold({ until: NOW })], NOW)]).toEqual([])
  expect(toHoldOf([sampleHold()], NOW).get(1)).toMatchObject({ actor: 'dispatcher' })
})
