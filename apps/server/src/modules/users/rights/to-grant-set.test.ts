import { ROOT_KEY } from '@isotherm/contract/tree'
import { expect, test } from 'vitest'
import type { Scope } from '../../../platform/scope/scope.ts'
import { createToGrantSet } from './to-grant-set.ts'

const paths = new Map([
  ['station', ['/1/4/']],
  ['building', ['/1/4/12/']],
])
const toGrantSet = createToGrantSet({ findParts: async () => paths })
const everything: Scope = { kind: 'all' }
const building: Scope = { kind: 'paths', paths: ['/1/4/12/'] }

test('places to grant are found by their keys, each once', async () => {
  const places = { nodes: ['station', 'building', 'building'], deviceIds: [7, 7, 8] }
  expect(await toGrantSet(everything, places)).toEqual({ nodeIds: [4, 12], deviceIds: [7, 8] })
  expect(await toGrantSet(building, { nodes: ['building'], deviceIds: [] })).toEqual({
    nodeIds: [12],
    deviceIds: [],
  })
})

test.each([
  ['the root', everything, ROOT_KEY],
  ['an unknown node', everything, 'nowhere'],
  ['a node above the grants of the caller', building, 'station'],
] as const)('%s cannot be granted', async (_name, scope, node) => {
  const known = createToGrantSet({ findParts: async () => new Map([...paths, [ROOT_KEY, ['/']]]) })
  await expect(known(scope, { nodes: [node], deviceIds: [] })).rejects.toThrow('node.not-found')
})
