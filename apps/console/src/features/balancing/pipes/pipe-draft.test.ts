import { expect, it } from 'vitest'
import { findComplete, startPipe } from './pipe-draft.ts'
import { findDepth, toShortAddress } from './short-address.ts'

it('is complete if it has two ends, and a length and diameter that the server accepts', () => {
  const draft = { ...startPipe(), from: '1', to: '2', lengthM: 80, innerDiameterMm: 53 }
  expect(findComplete(draft)).toEqual({
    from: '1',
    to: '2',
    record: { lengthM: 80, innerDiameterMm: 53, material: 'steel', roughnessMm: null, laidYear: null },
  })
  for (const missing of [
    { to: undefined },
    { to: '1' },
    { lengthM: null },
    { lengthM: 0 },
    { laidYear: 19.5 },
  ])
    expect(findComplete({ ...draft, ...missing }), JSON.stringify(missing)).toBeUndefined()
})

it('starts with the recorded values', () => {
  const record = {
    lengthM: 80,
    innerDiameterMm: 53,
    material: 'pb' as const,
    roughnessMm: 0.02,
    laidYear: 2020,
  }
  expect(findComplete(startPipe({ from: '1', to: '2', record }))).toEqual({ from: '1', to: '2', record })
})

it('names places relative to their loop', () => {
  const depth = findDepth(['集团,公司,一号站', '集团,公司,一号站,东区,二号楼'])
  expect(toShortAddress('集团,公司,一号站', depth)).toBe('一号站')
  expect(toShortAddress('集团,公司,一号站,东区,二号楼', depth)).toBe('东区 二号楼')
})
