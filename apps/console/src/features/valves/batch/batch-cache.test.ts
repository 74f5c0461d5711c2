import type { BatchProgress, CommandBatch } from '@isotherm/contract/command'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { batchKeys } from '../commands/command-keys.ts'
import { sampleBatch } from '../rows/valve-samples.testkit.ts'
import { applyProgress as apply } from './batch-cache.ts'

function hold(batch: CommandBatch): QueryClient {
  const client = new QueryClient()
  client.setQueryData(batchKeys.one(batch.id), batch)
  client.setQueryData(batchKeys.list([], 1), { datalist: [batch], total: 1 })
  return client
}

const applyProgress = (client: QueryClient, told: BatchProgress) => apply(client, told, new Set())

const isAsked = (client: QueryClient, key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

test('what is told of a batch stands in it and in its list at once', () => {
  const batch = sampleBatch()
  const client = hold(batch)
  const { id, state, total } = batch
  applyProgress(client, { id, state, total, counts: { confirmed: 2, sent: 1 } })
  expect(client.getQueryData(batchKeys.one(id))).toMatchObject({ counts: { confirmed: 2, sent: 1 } })
  expect(client.getQueryData(batchKeys.list([], 1))).toMatchObject({
    datalist: [{ counts: { confirmed: 2 } }],
  })
  expect(isAsked(client, batchKeys.one(id))).toBe(false)
})

test('what may be done with it is asked for again when its state changed or something failed', () => {
  const batch = sampleBatch()
  const { id, total } = batch
  const finished = hold(batch)
  applyProgress(finished, { id, total, state: 'finished', counts: { confirmed: 3 } })
  expect(isAsked(finished, batchKeys.one(id))).toBe(true)
  const failing = hold(batch)
  applyProgress(failing, { id, total, state: 'running', counts: { sent: 2, failed: 1 } })
  expect(isAsked(failing, batchKeys.one(id))).toBe(true)
})

test('who sees a part of a batch is not told the figures of the whole', () => {
  const batch = sampleBatch({ total: 1, counts: { queued: 1 } })
  const client = hold(batch)
  applyProgress(client, { id: batch.id, state: 'running', total: 3, counts: { confirmed: 3 } })
  expect(client.getQueryData(batchKeys.one(batch.id))).toEqual(batch)
  expect(isAsked(client, batchKeys.one(batch.id))).toBe(true)
})

test('a batch that is new is fetched with the list', () => {
  const client = hold(sampleBatch({ id: 'B1' }))
  applyProgress(client, { id: 'B2', state: 'running', total: 1, counts: { queued: 1 } })
  expect(isAsked(client, batchKeys.list([], 1))).toBe(true)
})

test('news of a batch that a list does not show ask for the list once, and only for its first page', () => {
  const client = hold(sampleBatch({ id: 'B1' }))
  client.setQueryData(batchKeys.list([], 2), { datalist: [sampleBatch({ id: 'A9' })], total: 21 })
  const asked = new Set<string>()
  const tell = (id: string) => apply(client, { id, state: 'running', total: 9, counts: { sent: 9 } }, asked)
  tell('B2')
  expect(isAsked(client, batchKeys.list([], 1))).toBe(true)
  // The answer is without it: the batch is below other nodes.
  client.setQueryData(batchKeys.list([], 1), { datalist: [sampleBatch({ id: 'B1' })], total: 1 })
  tell('B2')
  expect(isAsked(client, batchKeys.list([], 1))).toBe(false)
  tell('B3')
  expect(isAsked(client, batchKeys.list([], 1))).toBe(true)
  expect(isAsked(client, batchKeys.list([], 2))).toBe(false)
})
