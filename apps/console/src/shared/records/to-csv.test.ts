import { expect, test } from 'vitest'
import { toCsv } from './to-csv.ts'

const columns = [
  { key: 'name', title: 'Name', widthPx: 1, render: () => null, value: (row: string) => row },
  { key: 'actions', title: 'Actions', widthPx: 1, render: () => null },
]

test('records become lines with a byte order mark; columns without a value are left out', () => {
  expect(toCsv(columns, ['a', 'b,c', 'say "x"'])).toBe('\uFEFFName\r\na\r\n"b,c"\r\n"say ""x"""\r\n')
})

test('a text never becomes a formula of a spreadsheet, and a number keeps its sign', () => {
  expect(toCsv(columns, ['=1+1', '-5.2', '+86', '@x'])).toBe("\uFEFFName\r\n'=1+1\r\n-5.2\r\n'+86\r\n'@x\r\n")
})
