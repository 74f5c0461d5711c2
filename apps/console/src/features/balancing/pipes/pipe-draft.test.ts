import { expect, it } from 'vitest'
import { findWhole, startPipe } from './pipe-draft.ts'
import { findDepth, toShortAddress } from './short-address.ts'

it('is whole once it has two ends, a length and a width that the server takes', () => {
  const draft = { ...startPipe(), from: '1', to: '2', lengthM: 80, innerDiameterMm: 53 }
  expect(findWhole(draft)).toEqual({
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
    expect(findWhole({ ...draft, ...missing }), JSON.stringify(missing)).toBeUndefined()
})

it('begins with what is recorded', () => {
  const record = {
    lengthM: 80,
    innerDiameterMm: 53,
    material: 'pb' as const,
    roughnessMm: 0.02,
    laidYear: 2020,
  }
  expect(findWhole(startPipe({ from: '1', to: '2', record }))).toEqual({ from: '1', to: '2', record })
})

it('names places from their loop on', () => {
  const depth = findDepth(['集团,公司,一号站', '集团,公司,一号站,东区,二号楼'])
  expect(toShortAddress('集团,公司,一号站', depth)).toBe('一号站')
  expect(toShortAddress('集团,公司,一号站,东区,二号楼', depth)).toBe('东区 二号楼')
})
