import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Excel from 'exceljs'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { openWorkbook } from './workbook-reader.ts'
import { type Sheet, toWorkbook } from './workbook-writer.ts'
import { openArchive, type StoredFile, UnreadableFileError } from './zip-reader.ts'
import { toArchive } from './zip-writer.ts'

const toStored = (bytes: Buffer): StoredFile => ({
  size: bytes.length,
  read: async (start, length) => bytes.subarray(start, start + length),
})

async function toList<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await toList(pieces))
}

async function readAll(bytes: Buffer, sheet: string): Promise<string[][]> {
  const { readRows } = await openWorkbook(toStored(bytes))
  const rows = await toList(readRows(sheet))
  return rows.map(({ cells }) => [...cells.values()])
}

const rows: Sheet['rows'] = [
  ['项目', '面积'],
  ['=SUM(A1)', 90.5],
  ['甲 & <乙> "丙"', undefined],
  ['+1', -0.1],
]

test('another program can read a written workbook, with formulas as texts', async () => {
  const bytes = await collect(toWorkbook([{ name: '结构', widths: [20, 8], rows }]))
  const workbook = new Excel.Workbook()
  await workbook.xlsx.load(Uint8Array.from(bytes).buffer)
  const sheet = workbook.getWorksheet('结构')
  expect(sheet?.getCell('A2').value).toBe('=SUM(A1)')
  expect(sheet?.getCell('A2').type).toBe(Excel.ValueType.String)
  expect(sheet?.getCell('B2').value).toBe(90.5)
  expect(sheet?.getCell('A3').value).toBe('甲 & <乙> "丙"')
  expect(sheet?.getCell('B4').value).toBe(-0.1)
})

test('columns with a fixed choice offer their texts below the headings', async () => {
  const choices = [[], ['钢管', 'PE & <PB>']]
  const bytes = await collect(toWorkbook([{ name: '管段', widths: [], rows, choices }]))
  const workbook = new Excel.Workbook()
  await workbook.xlsx.load(Uint8Array.from(bytes).buffer)
  const sheet = workbook.getWorksheet('管段')
  expect(sheet?.getCell('B2').dataValidation).toMatchObject({
    type: 'list',
    formulae: ['"钢管,PE & <PB>"'],
  })
  expect(sheet?.getCell('A2').dataValidation).toBeUndefined()
  expect(sheet?.getCell('B1').dataValidation).toBeUndefined()
})

test('a written workbook is read back unchanged', async () => {
  const bytes = await collect(toWorkbook([{ name: '结构', widths: [], rows }]))
  expect(await readAll(bytes, '结构')).toEqual([
    ['项目', '面积'],
    ['=SUM(A1)', '90.5'],
    ['甲 & <乙> "丙"'],
    ['+1', '-0.1'],
  ])
})

test('a workbook of another program is read: shared and rich texts, numbers, flags, results of formulas', async () => {
  const workbook = new Excel.Workbook()
  const sheet = workbook.addWorksheet('户')
  sheet.addRow(['甲', 3.25, true])
  sheet.addRow([{ richText: [{ text: '一号' }, { font: { bold: true }, text: '站' }] }, null, '  空格 '])
  sheet.addRow([
    { formula: 'B1*2', result: 6.5 },
    { formula: 'A1', result: '甲' },
  ])
  const bytes = Buffer.from(await workbook.xlsx.writeBuffer())
  expect(await readAll(bytes, '户')).toEqual([
    ['甲', '3.25', 'true'],
    ['一号站', '空格'],
    ['6.5', '甲'],
  ])
})

test('a workbook that another program streamed with the sheets first is read', async () => {
  const path = join(tmpdir(), `isotherm-streamed-${process.pid}.xlsx`)
  const writer = new Excel.stream.xlsx.WorkbookWriter({
    stream: createWriteStream(path),
    useSharedStrings: true,
  })
  const sheet = writer.addWorksheet('户')
  for (let row = 1; row <= 50; row += 1) sheet.addRow([`楼${row}`, row]).commit()
  await writer.commit()
  const found = await readAll(await readFile(path), '户')
  await rm(path)
  expect(found).toHaveLength(50)
  expect(found[49]).toEqual(['楼50', '50'])
})

test('rows keep their numbers when others are empty', async () => {
  const workbook = new Excel.Workbook()
  workbook.addWorksheet('户').getCell('C7').value = '丙'
  const bytes = Buffer.from(await workbook.xlsx.writeBuffer())
  const { readRows } = await openWorkbook(toStored(bytes))
  expect(await toList(readRows('户'))).toEqual([{ number: 7, cells: new Map([[2, '丙']]) }])
})

test('a file that is no workbook, truncated or altered is rejected', async () => {
  const bytes = await collect(toWorkbook([{ name: '结构', widths: [], rows }]))
  await expect(openWorkbook(toStored(Buffer.from('serial,name\n1,2')))).rejects.toThrow(UnreadableFileError)
  await expect(openWorkbook(toStored(Buffer.alloc(0)))).rejects.toThrow(UnreadableFileError)
  await expect(openWorkbook(toStored(bytes.subarray(0, bytes.length / 2)))).rejects.toThrow(
    UnreadableFileError,
  )
  for (let at = 40; at < bytes.length; at += 7) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 0x55
    // Most alterations are detected. The result must be rows or this error.
    await readAll(altered, '结构').catch((error: unknown) =>
      expect(error).toBeInstanceOf(UnreadableFileError),
    )
  }
})

test('the limit of unpacked bytes holds, whatever the headers state', async () => {
  const zeros = '0'.repeat(4 * 1024 * 1024)
  const bytes = await collect(toArchive([{ name: 'a', texts: [zeros, zeros, zeros] }]))
  expect(bytes.length).toBeLessThan(20_000)
  const archive = await openArchive(toStored(bytes), 5 * 1024 * 1024)
  const read = async () => {
    let length = 0
    for await (const piece of archive.open('a')) length += piece.length
    return length
  }
  await expect(read()).rejects.toThrow('too large')
})

test('a text, nesting or number of columns that would fill the memory is rejected', async () => {
  const base = [
    { name: 'xl/_rels/workbook.xml.rels', texts: ['<a><Relationship Id="r1" Target="s.xml"/></a>'] },
    { name: 'xl/workbook.xml', texts: ['<a><sheet name="s" r:id="r1"/></a>'] },
  ]
  const readSheet = async (texts: readonly string[]) =>
    readAll(await collect(toArchive([...base, { name: 'xl/s.xml', texts }])), 's')
  await expect(readSheet(['<a>', 'x'.repeat(3_000_000), '</a>'])).rejects.toThrow('too long')
  await expect(readSheet(['<a>'.repeat(100)])).rejects.toThrow('deeply')
  await expect(readSheet(['<a><row><c r="ZZ1"><v>1</v></c></row></a>'])).rejects.toThrow('columns')
  await expect(readSheet(['<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>'])).rejects.toThrow(UnreadableFileError)
})

test('an archive with two files of one name is rejected', async () => {
  const archive = toArchive([
    { name: 'a', texts: ['1'] },
    { name: 'a', texts: ['2'] },
  ])
  const bytes = await collect(archive)
  await expect(openArchive(toStored(bytes), 1_000)).rejects.toThrow(UnreadableFileError)
})

test('an archive with more than a thousand files is rejected', async () => {
  const toFiles = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: String(index), texts: ['1'] }))
  const open = async (count: number) =>
    openArchive(toStored(await collect(toArchive(toFiles(count)))), 10_000)
  expect((await open(1_000)).has('999')).toBe(true)
  await expect(open(1_001)).rejects.toThrow(UnreadableFileError)
})

/** An archive in zip64 format, with sizes and offsets of 64 bits. */
async function createZip64(name: string, text: string): Promise<Buffer> {
  const archive = new ZipFile()
  archive.addBuffer(Buffer.from(text), name, { forceZip64Format: true })
  archive.end({ forceZip64Format: true, comment: '' })
  const pieces: Buffer[] = []
  for await (const piece of archive.outputStream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

test('an archive in zip64 format is read, an altered one is read or rejected', async () => {
  const bytes = await createZip64('a', 'text '.repeat(100))
  const read = async (file: Buffer) => {
    const archive = await openArchive(toStored(file), 10_000)
    return (await collect(archive.open('a'))).toString()
  }
  expect(await read(bytes)).toBe('text '.repeat(100))
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 0x55
    await read(altered).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableFileError))
  }
})

test('an error of the storage is not reported as a damaged workbook', async () => {
  const bytes = await collect(toArchive([{ name: 'a', texts: ['1'] }]))
  for (let healthyReads = 0; healthyReads < 5; healthyReads += 1) {
    let reads = 0
    const stored: StoredFile = {
      size: bytes.length,
      async read(start, length) {
        reads += 1
        if (reads > healthyReads) throw new Error('no connection')
        return bytes.subarray(start, start + length)
      },
    }
    const read = async () => collect((await openArchive(stored, 1_000)).open('a'))
    await expect(read()).rejects.toThrow('no connection')
  }
})

test('texts of an archive end when its consumer stops, and their errors reach it', async () => {
  let ended = false
  async function* endless() {
    try {
      for (let index = 0; ; index += 1) yield `${index * 2_654_435_761}`.repeat(100)
    } finally {
      ended = true
    }
  }
  for await (const piece of toArchive([{ name: 'a', texts: endless() }])) if (piece.length > 100) break
  expect(ended).toBe(true)
  async function* failing() {
    yield '1'
    throw new Error('the query failed')
  }
  const archive = toArchive([
    { name: 'a', texts: ['1'] },
    { name: 'b', texts: failing() },
  ])
  await expect(collect(archive)).rejects.toThrow('the query failed')
})

test('the same rows give the same bytes', async () => {
  const write = () => collect(toWorkbook([{ name: '结构', widths: [], rows }]))
  const first = await write()
  expect((await write()).equals(first)).toBe(true)
})
