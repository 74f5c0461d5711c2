import { expect, test } from 'vitest'
import { toSelectedNodes } from './tree-selection.ts'

const gone = false
const current = (level: number) => ({ key: '4', label: '站', level, nestaddr: '集团,站' })

test('a page shows the checked nodes, or the current node, or everything', () => {
  expect(toSelectedNodes({ covering: ['5', '6'], current: current(4), gone })).toEqual(['5', '6'])
  expect(toSelectedNodes({ covering: [], current: current(4), gone })).toEqual(['4'])
  expect(toSelectedNodes({ covering: [], current: undefined, gone })).toEqual([])
  expect(toSelectedNodes({ covering: [], current: current(0), gone })).toEqual([])
})

test('a page shows nothing (not everything) after the selected node was deleted', () => {
  expect(toSelectedNodes({ covering: [], current: undefined, gone: true })).toBeUndefined()
  expect(toSelectedNodes({ covering: [], current: current(4), gone: true })).toBeUndefined()
})
