import { expect, test } from 'vitest'
import { toCompactAddress, toWholeAddress } from './address.ts'

test('a compact address contains the names that distinguish devices', () => {
  expect(toCompactAddress('集团,公司,东区,一号站,阳光小区,3号楼,1单元')).toBe('阳光小区 / 3号楼 / 1单元')
  expect(toCompactAddress('集团,公司,东区,一号站,阳光小区,3号楼')).toBe('一号站 / 阳光小区 / 3号楼')
  expect(toCompactAddress('集团')).toBe('集团')
})

test('homes of two residential areas have different compact addresses', () => {
  const [sun, lake] = ['阳光小区', '湖畔小区'].map((area) =>
    toCompactAddress(`集团,公司,东区,一号站,${area},3号楼,1单元,101`),
  )
  expect(sun).toBe('阳光小区 / 3号楼 / 1单元 / 101')
  expect(lake).not.toBe(sun)
})

test('a whole address contains all names', () => {
  expect(toWholeAddress('集团,公司')).toBe('集团 / 公司')
})
