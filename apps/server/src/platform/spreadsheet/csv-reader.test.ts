import { expect, test } from 'vitest'
import { readCsv } from './csv-reader.ts'
import { UnreadableFileError } from './zip-reader.ts'

/** Rows of a text that arrives byte by byte. */
async function read(bytes: Uint8Array, delimiter = ',', encoding: 'utf-8' | 'gb18030' = 'utf-8') {
  async function* pieces() {
    for (const byte of bytes) yield Uint8Array.of(byte)
  }
  const rows: (readonly [number, ...string[]])[] = []
  for await (const { number, cells } of readCsv(pieces(), { encoding, delimiter })) {
    const width = Math.max(...cells.keys()) + 1
    rows.push([number, ...Array.from({ length: width }, (_, column) => cells.get(column) ?? '')])
  }
  return rows
}

test.each([
  [
    'plain rows with any line end',
    'a,b\r\n1,2\n3,4\r5,6',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
      [3, '3', '4'],
      [4, '5', '6'],
    ],
  ],
  [
    'quotes, separators and line ends in cells',
    '"a,b","say ""no"""\n"x\r\ny",2',
    [
      [1, 'a,b', 'say "no"'],
      [2, 'x\r\ny', '2'],
    ],
  ],
  [
    'empty cells and rows, which keep their numbers',
    'a,,b\n\n,,\n1',
    [
      [1, 'a', '', 'b'],
      [4, '1'],
    ],
  ],
  ['blanks around quotes', ' "a" ,b', [[1, 'a', 'b']]],
  ['NUL characters', 'a\u0000b,\u0000', [[1, 'ab']]],
  ['a byte order mark', '\ufeffa,b', [[1, 'a', 'b']]],
])('%s', async (_what, text, rows) => {
  expect(await read(Buffer.from(text))).toEqual(rows)
})

test('a file of an older Chinese program', async () => {
  // 表号,室温 in GB 18030.
  expect(await read(Buffer.from('b1edbac53bcad2cec2', 'hex'), ';', 'gb18030')).toEqual([[1, '表号', '室温']])
})

test.each([
  ['at the end of the file', 'a,b\n1,"2\n3,4\n', 'row 2: a quoted cell does not end'],
  ['before many rows', `a,b\n1,2\n"3,4\n${'5,6\n'.repeat(1_000)}"`, 'row 3: a quoted cell does not end'],
  ['behind a text', 'a,b\n"1"2,3\n', 'row 2: a text follows a closing quote'],
])('a quote that makes rows part of a cell is refused: %s', async (_what, text, message) => {
  await expect(read(Buffer.from(text))).rejects.toThrow(new UnreadableFileError(message))
})
