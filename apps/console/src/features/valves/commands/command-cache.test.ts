import type { Command } from '@isotherm/contract/command'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { NOW, sampleCommand } from '../rows/valve-samples.testkit.ts'
import { applyPushed, askForMissing } from './command-cache.ts'
import { commandKeys } from './command-keys.ts'

const pushed = sampleCommand({ state: 'sent', updatedAt: NOW + 1, reached: { queued: NOW, sent: NOW + 1 } })

test('a pushed command takes its place in every list that holds it', () => {
  const client = new QueryClient()
  const rows = commandKeys.rowsPage('batch-1', 'all', 1)
  client.setQueryData(rows, { datalist: [sampleCommand()] })
  client.setQueryData(commandKeys.last([1]), { datalist: [sampleCommand()] })
  applyPushed(client, [pushed])
  expect(client.getQueryData(rows)).toEqual({ datalist: [pushed] })
  expect(client.getQueryData(commandKeys.last([1]))).toEqual({ datalist: [pushed] })
})

test('a command that is new to a list of last ones stands in it, if its device is asked for', () => {
  const client = new QueryClient()
  const empty: { datalist: Command[] } = { datalist: [] }
  client.setQueryData(commandKeys.last([1, 2]), empty)
  client.setQueryData(commandKeys.last([2]), empty)
  applyPushed(client, [pushed])
  expect(client.getQueryData(commandKeys.last([1, 2]))).toEqual({ datalist: [pushed] })
  expect(client.getQueryData(commandKeys.last([2]))).toBe(empty)
})

test('a log is asked for again when a newer command was given, not for one further back', () => {
  const client = new QueryClient()
  const key = [...commandKeys.logs, 'here']
  client.setQueryData(key, { datalist: [sampleCommand({ id: 'B' })] })
  askForMissing(client, [sampleCommand({ id: 'A' }), sampleCommand({ id: 'B' })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(false)
  askForMissing(client, [sampleCommand({ id: 'C' })])
  expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})
