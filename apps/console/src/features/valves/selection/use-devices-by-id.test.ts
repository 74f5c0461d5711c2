import type { NodeKey } from '@isotherm/contract/tree'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sampleDevice } from '../../../shared/devices/valve-samples.testkit.ts'
import { devicesByIdQuery } from './devices-by-id-query.ts'
import { useDevicesById } from './use-devices-by-id.ts'
import { valvesQuery } from './valves-query.ts'

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null }))
afterAll(() => vi.unstubAllGlobals())

interface Known {
  /** Ids of the valves listed below the nodes. */
  readonly listed?: readonly number[]
  readonly isWhole?: boolean
  /** Ids that were fetched by id, and those of them that were found. */
  readonly requested?: readonly number[]
  readonly answered?: readonly number[]
}

/** The result of the hook for the given cache contents. */
function read(ids: readonly number[], nodes: readonly NodeKey[] | undefined, known: Known = {}) {
  const client = new QueryClient()
  const toDevices = (of: readonly number[]) => of.map((id) => sampleDevice({ id }))
  const { listed, isWhole = false, requested, answered = [] } = known
  if (nodes && listed)
    client.setQueryData(valvesQuery(nodes).queryKey, { devices: toDevices(listed), total: 9, isWhole })
  if (requested) client.setQueryData(devicesByIdQuery(requested).queryKey, toDevices(answered))
  let result: unknown
  const Probe = () => {
    const { found, query } = useDevicesById(ids, nodes)
    result = query.isPending ? 'pending' : found.map(({ id }) => id)
    return null
  }
  renderToString(createElement(QueryClientProvider, { client }, createElement(Probe)))
  return result
}

test('valves are found as soon as all are listed, in the order of the list', () => {
  expect(read([1, 2], ['4'], { listed: [2, 1, 3] })).toEqual([2, 1])
  expect(read([1, 2], ['4'], { listed: [2] })).toBe('pending')
  expect(read([], ['4'])).toEqual([])
})

test('valves outside the nodes are fetched by their ids, and no others', () => {
  const listed = { listed: [2], isWhole: true }
  expect(read([1, 2], ['4'], listed)).toBe('pending')
  expect(read([1, 2], ['4'], { ...listed, requested: [1], answered: [1] })).toEqual([2, 1])
  expect(read([1, 2], ['4'], { ...listed, requested: [1] })).toEqual([2])
})

test('without a selection, or with too many valves to list, all are fetched by their ids', () => {
  const all = { requested: [1, 2], answered: [1, 2] }
  expect(read([1, 2], undefined, all)).toEqual([1, 2])
  expect(read([1, 2], ['4'], { ...all, listed: [], isWhole: true })).toEqual([1, 2])
})
