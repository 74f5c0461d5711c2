import { expect, test } from 'vitest'
import { openTable } from './read-table.ts'

const open = (bytes: Buffer) =>
  openTable({ size: bytes.length, read: async (start, length) => bytes.subarray(start, start + length) }, {})

test('a text in UTF-16 is refused instead of read as other characters', async () => {
  const text = Buffer.from('\ufeffa,b', 'utf16le')
  await expect(open(text)).rejects.toThrow('UTF-16')
  await expect(open(Buffer.from(text).swap16())).rejects.toThrow('UTF-16')
})
