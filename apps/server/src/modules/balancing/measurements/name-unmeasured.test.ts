import { expect, test } from 'vitest'
import { nameUnmeasured } from './name-unmeasured.ts'

const toAddress = (unit: number) => `集团,公司,城西区域,翠湖换热站,翠湖家园,1号楼,${unit}单元`

test('valves without readings are named by area, building and unit', () => {
  expect(nameUnmeasured([1, 2].map(toAddress))).toBe('翠湖家园/1号楼/1单元, 翠湖家园/1号楼/2单元')
})

test('of many valves five are named and the others counted', () => {
  expect(nameUnmeasured([1, 2, 3, 4, 5, 6, 7].map(toAddress))).toMatch(/5单元, … \+2$/)
})
