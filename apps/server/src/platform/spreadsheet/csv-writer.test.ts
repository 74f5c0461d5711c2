import { expect, test } from 'vitest'
import { toCsvFile } from './csv-writer.ts'
import type { Cell } from './workbook-writer.ts'

async function write(rows: readonly (readonly Cell[])[]): Promise<string> {
  async function* give(): AsyncGenerator<readonly Cell[]> {
    yield* rows
  }
  const pieces: Buffer[] = []
  for await (const piece of toCsvFile(give())) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

test('a CSV file quotes separators, contains no formulas and starts with a byte order mark', async () => {
  const text = await write([
    ['位置', 'a"b', 'c,d'],
    ['=1+1', -2.5, undefined],
    ['line\nbreak', '', '@x'],
  ])
  expect(text).toBe('\ufeff位置,"a""b","c,d"\r\n\'=1+1,-2.5,\r\n"line\nbreak",,\'@x\r\n')
})

test.each(['＝1+1', '＋1', '－1', '＠SUM(A1)', ' =1+1', '\u3000=1+1', '\n=1+1'])(
  'a formula in disguise is text: %j',
  async (cell) => {
    expect((await write([[cell]])).replaceAll('"', '')).toBe(`\ufeff'${cell}\r\n`)
  },
)

test('rows are sent in chunks, and none is lost', async () => {
  const lines = (await write(Array.from({ length: 1_234 }, (_, index) => [index]))).slice(1).split('\r\n')
  expect(lines.slice(0, -1).map(Number)).toEqual(Array.from({ length: 1_234 }, (_, index) => index))
})
