import type { TreeHit } from '@isotherm/contract/endpoints/network/tree'
import { expect, test } from 'vitest'
import { toNodeChoices } from './node-choices.ts'

const hit = (node: string, nestaddr: string, device?: TreeHit['device']): TreeHit => ({
  chain: [
    { node: '1', label: '公司', level: 1, nodetype: 'project' },
    { node, label: nestaddr.split(',').at(-1) ?? '', level: 4, nodetype: 'group' },
  ],
  nestaddr,
  projectid: 1,
  match: 'name' as const,
  ...(device && { device }),
})
const device = { id: 3, serial: 'S', name: 'V', kind: 'valve' as const }

test('without a search, the offered nodes can be chosen, each once and in order', () => {
  const offered = [
    { key: '4', nestaddr: '公司,东苑' },
    { key: '1', nestaddr: '公司' },
    { key: '4', nestaddr: '东苑' },
  ]
  expect(toNodeChoices({ offered, hits: undefined })).toEqual([
    { key: '4', nestaddr: '公司,东苑' },
    { key: '1', nestaddr: '公司' },
  ])
})

test('a search replaces the offered nodes; a device hit offers its node', () => {
  const hits = [hit('7', '公司,七号楼'), hit('7', '公司,七号楼', device)]
  expect(toNodeChoices({ offered: [{ key: '1', nestaddr: '公司' }], hits })).toEqual([
    { key: '7', nestaddr: '公司,七号楼' },
  ])
  expect(toNodeChoices({ offered: [], hits: [] })).toEqual([])
})
