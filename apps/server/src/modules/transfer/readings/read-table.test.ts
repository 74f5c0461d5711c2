import Excel from 'exceljs'
import { expect, test } from 'vitest'
import { openTable } from './read-table.ts'

const open = (bytes: Buffer) =>
  openTable({ size: bytes.length, read: async (start, length) => bytes.subarray(start, start + length) }, {})

test('a text in UTF-16 is refused instead of read as other characters', async () => {
  const text = Buffer.from('\ufeffa,b', 'utf16le')
  await expect(open(text)).rejects.toThrow('UTF-16')
  await expect(open(Buffer.from(text).swap16())).rejects.toThrow('UTF-16')
})

test('a workbook that counts days from 1904 is refused instead of read four years early', async () => {
  const create = async (date1904: boolean) => {
    const workbook = new Excel.Workbook()
    workbook.properties.date1904 = date1904
    workbook.addWorksheet('读数').addRow([46_024])
    return Buffer.from(await workbook.xlsx.writeBuffer())
  }
  await expect(open(await create(true))).rejects.toThrow('1904')
  expect((await open(await create(false))).sheets).toEqual(['读数'])
})
