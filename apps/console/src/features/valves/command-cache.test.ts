import type { Command } from '@isotherm/contract/command'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { applyPushed } from './command-cache.ts'
import { commandKeys } from './command-keys.ts'
import { NOW, sampleCommand } from './valve-samples.testkit.ts'

const pushed = sampleCommand({ state: 'sent', updatedAt: NOW + 1, reached: { queued: NOW, sent: NOW + 1 } })

test('a pushed command takes its place in every list that holds it', () => {
  const client = new QueryClient()
  client.setQueryData(commandKeys.batch('batch-1'), { datalist: [sampleCommand()] })
  client.setQueryData(commandKeys.last([1]), { datalist: [sampleCommand()] })
  applyPushed(client, pushed)
  expect(client.getQueryData(commandKeys.batch('batch-1'))).toEqual({ datalist: [pushed] })
  expect(client.getQueryData(commandKeys.last([1]))).toEqual({ datalist: [pushed] })
})

test('a list that does not know the command yet is asked for again, a batch is not', () => {
  const client = new QueryClient()
  const empty: { datalist: Command[] } = { datalist: [] }
  client.setQueryData(commandKeys.batch('batch-2'), empty)
  client.setQueryData(commandKeys.last([1]), empty)
  applyPushed(client, pushed)
  expect(client.getQueryState(commandKeys.batch('batch-2'))?.isInvalidated).toBe(false)
  expect(client.getQueryState(commandKeys.last([1]))?.isInvalidated).toBe(true)
})
