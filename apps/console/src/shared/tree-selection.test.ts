import { expect, test } from 'vitest'
import { toSelectedNodes } from './tree-selection.ts'

const current = (level: number) => ({ key: '4', label: '站', level, nestaddr: '集团,站' })

test('a page shows what is checked, else the current node, else everything', () => {
  expect(toSelectedNodes({ covering: ['5', '6'], current: current(4) })).toEqual(['5', '6'])
  expect(toSelectedNodes({ covering: [], current: current(4) })).toEqual(['4'])
  expect(toSelectedNodes({ covering: [], current: undefined })).toEqual([])
  expect(toSelectedNodes({ covering: [], current: current(0) })).toEqual([])
})
