import { open } from 'node:fs/promises'
import { openWorkbook } from '../../../apps/server/src/platform/spreadsheet/workbook-reader.ts'

/** Rows of a sheet of a saved workbook: texts of the cells by column, headings first. Default: its first sheet. */
export async function readSheet(
  path: string,
  name?: string,
): Promise<readonly ReadonlyMap<number, string>[]> {
  const file = await open(path)
  try {
    const read = async (position: number, length: number) => {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer
    }
    const { sheets, readRows } = await openWorkbook({ size: (await file.stat()).size, read })
    const rows: ReadonlyMap<number, string>[] = []
    for await (const { cells } of readRows(name ?? sheets[0] ?? '')) rows.push(cells)
    return rows
  } finally {
    await file.close()
  }
}
