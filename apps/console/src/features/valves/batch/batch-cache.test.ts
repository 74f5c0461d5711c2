import type { BatchProgress, CommandBatch } from '@isotherm/contract/command'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { sampleBatch } from '../../../shared/devices/valve-samples.testkit.ts'
import { batchKeys } from '../commands/command-keys.ts'
import { applyProgress as apply } from './batch-cache.ts'

function cache(batch: CommandBatch): QueryClient {
  const client = new QueryClient()
  client.setQueryData(batchKeys.one(batch.id), batch)
  client.setQueryData(batchKeys.list([], 1), { datalist: [batch], total: 1 })
  return client
}

const applyProgress = (client: QueryClient, progress: BatchProgress) => apply(client, progress, new Set())

const isInvalid = (client: QueryClient, key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

test('pushed progress is applied to the cached batch and to its list at once', () => {
  const batch = sampleBatch()
  const client = cache(batch)
  const { id, state, total } = batch
  applyProgress(client, { id, state, total, counts: { confirmed: 2, sent: 1 } })
  expect(client.getQueryData(batchKeys.one(id))).toMatchObject({ counts: { confirmed: 2, sent: 1 } })
  expect(client.getQueryData(batchKeys.list([], 1))).toMatchObject({
    datalist: [{ counts: { confirmed: 2 } }],
  })
  expect(isInvalid(client, batchKeys.one(id))).toBe(false)
})

test('a batch is fetched again when its state changed or a command failed', () => {
  const batch = sampleBatch()
  const { id, total } = batch
  const finished = cache(batch)
  applyProgress(finished, { id, total, state: 'finished', counts: { confirmed: 3 } })
  expect(isInvalid(finished, batchKeys.one(id))).toBe(true)
  const failing = cache(batch)
  applyProgress(failing, { id, total, state: 'running', counts: { sent: 2, failed: 1 } })
  expect(isInvalid(failing, batchKeys.one(id))).toBe(true)
})

test('a user who sees only part of a batch keeps the figures of that part', () => {
  const batch = sampleBatch({ total: 1, counts: { queued: 1 } })
  const client = cache(batch)
  applyProgress(client, { id: batch.id, state: 'running', total: 3, counts: { confirmed: 3 } })
  expect(client.getQueryData(batchKeys.one(batch.id))).toEqual(batch)
  expect(isInvalid(client, batchKeys.one(batch.id))).toBe(true)
})

test('a new batch makes the list be fetched again', () => {
  const client = cache(sampleBatch({ id: 'B1' }))
  applyProgress(client, { id: 'B2', state: 'running', total: 1, counts: { queued: 1 } })
  expect(isInvalid(client, batchKeys.list([], 1))).toBe(true)
})

test('progress of a batch outside the list invalidates the first page once, and no other page', () => {
  const client = cache(sampleBatch({ id: 'B1' }))
  client.setQueryData(batchKeys.list([], 2), { datalist: [sampleBatch({ id: 'A9' })], total: 21 })
  const announced = new Set<string>()
  const push = (id: string) =>
    apply(client, { id, state: 'running', total: 9, counts: { sent: 9 } }, announced)
  push('B2')
  expect(isInvalid(client, batchKeys.list([], 1))).toBe(true)
  // The response does not contain it: the batch belongs to other nodes.
  client.setQueryData(batchKeys.list([], 1), { datalist: [sampleBatch({ id: 'B1' })], total: 1 })
  push('B2')
  expect(isInvalid(client, batchKeys.list([], 1))).toBe(false)
  push('B3')
  expect(isInvalid(client, batchKeys.list([], 1))).toBe(true)
  expect(isInvalid(client, batchKeys.list([], 2))).toBe(false)
})
