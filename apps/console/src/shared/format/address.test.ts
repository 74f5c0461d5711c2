import { expect, test } from 'vitest'
import { toCompactAddress, toWholeAddress } from './address.ts'

test('a compact address contains the names that distinguish devices', () => {
  expect(toCompactAddress('集团,公司,东区,一号站,阳光小区,3号楼,1单元')).toBe('阳光小区 / 3号楼 / 1单元')
  expect(toCompactAddress('集团')).toBe('集团')
})

test('a whole address contains all names', () => {
  expect(toWholeAddress('集团,公司')).toBe('集团 / 公司')
})
