import type { Command } from '@isotherm/contract/command'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { NOW, sampleCommand } from '../../../shared/devices/valve-samples.testkit.ts'
import { applyPushed, refetchLogs } from './command-cache.ts'
import { commandKeys } from './command-keys.ts'

const pushed = sampleCommand({ state: 'sent', updatedAt: NOW + 1, reached: { queued: NOW, sent: NOW + 1 } })

test('a pushed command replaces the cached one in every list', () => {
  const client = new QueryClient()
  const rows = commandKeys.rowsPage('batch-1', 'all', 1)
  client.setQueryData(rows, { datalist: [sampleCommand()] })
  client.setQueryData(commandKeys.last([1]), { datalist: [sampleCommand()] })
  applyPushed(client, [pushed])
  expect(client.getQueryData(rows)).toEqual({ datalist: [pushed] })
  expect(client.getQueryData(commandKeys.last([1]))).toEqual({ datalist: [pushed] })
})

test('a new command is added to a list of last commands if the list covers its device', () => {
  const client = new QueryClient()
  const empty: { datalist: Command[] } = { datalist: [] }
  client.setQueryData(commandKeys.last([1, 2]), empty)
  client.setQueryData(commandKeys.last([2]), empty)
  applyPushed(client, [pushed])
  expect(client.getQueryData(commandKeys.last([1, 2]))).toEqual({ datalist: [pushed] })
  expect(client.getQueryData(commandKeys.last([2]))).toBe(empty)
})

test('a log is fetched again for a newer command, not for an older one', () => {
  const client = new QueryClient()
  const key = [...commandKeys.logs, 'here']
  client.setQueryData(key, { datalist: [sampleCommand({ id: 'B' })] })
  refetchLogs(client, [sampleCommand({ id: 'A' }), sampleCommand({ id: 'B' })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(false)
  refetchLogs(client, [sampleCommand({ id: 'C' })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})
