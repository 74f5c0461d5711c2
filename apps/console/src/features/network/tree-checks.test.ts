import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeCovering, isCovered, listPublished, setChecked } from './tree-checks.ts'
import { listAbove, listBelow } from './tree-model.ts'
import { sampleTree } from './tree-samples.testkit.ts'

const none: ReadonlySet<string> = new Set()
const keys = [...sampleTree.nodes.keys()]
const someKey = fc.constantFrom(...keys)
const someClicks = fc.array(fc.tuple(someKey, fc.boolean()), { maxLength: 12 })
const click = (clicks: readonly (readonly [string, boolean])[]) =>
  clicks.reduce((checked, [key, on]) => setChecked(sampleTree, checked, key, on), none)

test('checking a node checks its ancestors and descendants, not its siblings', () => {
  expect([...setChecked(sampleTree, none, '5', true)].toSorted()).toEqual(['-1', '1', '2', '3', '4', '5'])
  expect(setChecked(sampleTree, none, '3', true).has('6')).toBe(true)
})

test('unchecking a node unchecks its descendants and leaves its ancestors', () => {
  const checked = setChecked(sampleTree, setChecked(sampleTree, none, '4', true), '4', false)
  expect([...checked].toSorted()).toEqual(['-1', '1', '2', '3'])
})

test('an ancestor that is checked for the sake of one node does not stand for the others', () => {
  expect(computeCovering(sampleTree, setChecked(sampleTree, none, '5', true))).toEqual(['5'])
  expect(computeCovering(sampleTree, setChecked(sampleTree, none, '4', true))).toEqual(['1'])
  const all = setChecked(sampleTree, none, '-1', true)
  expect(computeCovering(sampleTree, all)).toEqual(['1'])
  expect(computeCovering(sampleTree, setChecked(sampleTree, all, '6', false))).toEqual(['5'])
  expect(computeCovering(sampleTree, none)).toEqual([])
})

test('whatever is clicked, the covering nodes are checked to the bottom and none is inside another', () => {
  fc.assert(
    fc.property(someClicks, (clicks) => {
      const checked = click(clicks)
      const covering = computeCovering(sampleTree, checked)
      for (const key of covering) {
        expect([key, ...listBelow(sampleTree, key)].every((below) => checked.has(below))).toBe(true)
        expect(listAbove(sampleTree, key).some((above) => covering.includes(above))).toBe(false)
      }
    }),
  )
})

test('whatever is clicked, a checked leaf of the loaded tree is covered', () => {
  fc.assert(
    fc.property(someClicks, (clicks) => {
      const checked = click(clicks)
      const covering = new Set(computeCovering(sampleTree, checked))
      for (const key of ['5', '6'].filter((leaf) => checked.has(leaf))) {
        expect([key, ...listAbove(sampleTree, key)].some((each) => covering.has(each))).toBe(true)
      }
    }),
  )
})

test('a checked node is whole when it or a node above it is covering', () => {
  const covering = new Set(computeCovering(sampleTree, setChecked(sampleTree, none, '5', true)))
  expect(isCovered(sampleTree, covering, '5')).toBe(true)
  expect(isCovered(sampleTree, covering, '4')).toBe(false)
  expect(isCovered(sampleTree, new Set(['3']), '5')).toBe(true)
})

test('what is published is checked and has a nestaddr: the root has none', () => {
  const published = listPublished(sampleTree, setChecked(sampleTree, none, '5', true))
  expect(published.map((node) => node.key)).toEqual(['1', '2', '3', '4', '5'])
})
