import { expect, test } from 'vitest'
import { generateAddresses, listAreaChanges, parseAddressLines, toAddressText } from './address-lines.ts'

test('addresses are read one per line, with their area if known, each once', () => {
  expect(parseAddressLines('1单元\r\n1单元-101, 88.5\n\n2单元-201\t90\n1单元')).toEqual({
    lines: [
      { address: '1单元', areaM2: null },
      { address: '1单元-101', areaM2: 88.5 },
      { address: '2单元-201', areaM2: 90 },
    ],
    wrong: [],
  })
})

test('lines that are no address, or have no area after the comma, are named by their number', () => {
  expect(parseAddressLines('1-2-3\n1单元-101, gross\n2单元, 0.01\n3单元-1').wrong).toEqual([1, 2, 3])
})

test('the text of addresses is read as the same addresses', () => {
  const lines = [
    { address: '1单元', areaM2: null },
    { address: '1单元-101', areaM2: 88.5 },
  ]
  expect(parseAddressLines(toAddressText(lines)).lines).toEqual(lines)
})

test('only areas that changed are sent; one that was emptied is removed', () => {
  const stored = [
    { address: '1单元-101', areaM2: 88 },
    { address: '1单元-102', areaM2: 90 },
    { address: '9单元-901', areaM2: 70 },
  ]
  const lines = parseAddressLines('1单元-101, 88\n1单元-102\n1单元-103, 60').lines
  expect(listAreaChanges(lines, stored)).toEqual([
    { address: '1单元-102', areaM2: null },
    { address: '1单元-103', areaM2: 60 },
  ])
})

test('a regular building is generated floor by floor', () => {
  const building = { units: 2, floors: 2, households: 2 }
  expect(generateAddresses(building, (unit) => `${unit}单元`)).toEqual(
    ['1单元', '2单元'].flatMap((unit) => ['101', '102', '201', '202'].map((each) => `${unit}-${each}`)),
  )
})
