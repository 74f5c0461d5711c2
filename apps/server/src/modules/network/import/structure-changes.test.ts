import type { RegistryNode } from '@isotherm/contract/network/registry-file'
import { expect, test } from 'vitest'
import { type PlacedNode, placeNodes } from './layout.ts'
import { findChanges, withOtherStored } from './structure-changes.ts'

const node = (key: string, parent: string | null, level: number, name: string): RegistryNode => ({
  key,
  parent,
  level,
  name,
  kind: level === 1 ? 'project' : 'group',
})

const company = [
  node('p', null, 1, '集团'),
  node('a', 'p', 2, '甲'),
  node('b', 'p', 2, '乙'),
  node('a1', 'a', 4, '1号站'),
  node('a2', 'a', 4, '2号站'),
  node('b1', 'b', 4, '3号站'),
]
const ids = new Map(['p', 'a', 'b', 'a1', 'a2', 'b1', 'new', 'below'].map((key, index) => [key, index + 1]))
const place = (nodes: readonly RegistryNode[]) =>
  placeNodes(nodes, (key) => ({ id: ids.get(key) ?? 0, uuid: null }))
const stored: ReadonlyMap<string, PlacedNode> = new Map(place(company).map((each) => [each.node.key, each]))
const change = (key: string, to: Partial<RegistryNode>) =>
  company.map((each) => (each.key === key ? { ...each, ...to } : each))
const changes = (nodes: readonly RegistryNode[]) => findChanges(stored, place(nodes))

test('the same tree changes nothing', () => {
  expect(changes(company)).toEqual({ nodes: [], parents: [] })
})

test('an added child changes its parent; the nodes below the child change no further parent', () => {
  const added = [node('new', 'b', 4, '4号站'), node('below', 'new', 5, '东区')]
  expect(changes([...company, ...added]).parents).toEqual(['/1/3/'])
})

test('a renamed child changes its parent; the joined names below it are rewritten', () => {
  const { nodes, parents } = changes(change('b', { name: '乙区' }))
  expect(parents).toEqual(['/1/'])
  expect(nodes.map(({ node: { key } }) => key)).toEqual(['b', 'b1'])
})

test('a moved child changes the parent it leaves and the one it joins', () => {
  expect(changes(change('a1', { parent: 'b' })).parents.toSorted()).toEqual(['/1/2/', '/1/3/'])
})

test('a child moved below a new parent changes the parent it leaves and the parent of the new one', () => {
  const moved = [...change('a1', { parent: 'new' }), node('new', 'b', 3, '丙')]
  const placed = moved.toSorted((left, right) => left.level - right.level)
  expect(changes(placed).parents.toSorted()).toEqual(['/1/2/', '/1/3/'])
})

test('reordered children change their parent', () => {
  const swapped = change('a1', { name: '2号站' }).map((each) =>
    each.key === 'a2' ? { ...each, name: '1号站' } : each,
  )
  expect(changes(swapped).parents).toEqual(['/1/2/'])
})

test('a subdivision mark changes the parent, because the tree shows it; a floor area does not', () => {
  expect(changes(change('a1', { stype: 's' })).parents).toEqual(['/1/2/'])
  const { nodes, parents } = changes(change('a1', { areaM2: 90 }))
  expect([nodes.length, parents]).toEqual([1, []])
})

test('a project that is added or renamed changes the root', () => {
  expect(changes(change('p', { name: '集团公司' })).parents).toEqual(['/'])
  expect(findChanges(new Map(), place(company)).parents).toEqual(['/'])
})

test('nodes that the file does not contain stay below their parent and move with it', () => {
  const file = change('b', { parent: 'a', level: 3 }).filter(({ key }) => key !== 'b1')
  const placed = place(withOtherStored(file, stored))
  expect(placed.find((each) => each.node.key === 'b1')?.path).toBe('/1/2/3/6/')
  expect(findChanges(stored, placed).parents.toSorted()).toEqual(['/1/', '/1/2/'])
})
