import type { TextFormat } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { readCsv } from '../../../platform/spreadsheet/csv-reader.ts'
import { openWorkbook, type SheetRow } from '../../../platform/spreadsheet/workbook-reader.ts'
import { type StoredFile, UnreadableFileError } from '../../../platform/spreadsheet/zip-reader.ts'

/** The first bytes of every zip archive, and so of every workbook. */
const ARCHIVE_START = 'PK'
/** The byte order marks of UTF-16, as Latin-1. */
const UTF_16_STARTS = ['\u00ff\u00fe', '\u00fe\u00ff']
const PIECE_BYTES = 256 * 1024
/** Bytes from which the format of a text file is recognised. */
const SAMPLE_BYTES = 64 * 1024

/** Characters of rows that are in memory at once: a row may have 200,000. */
export const MAX_HELD_CHARACTERS = 4_000_000

export const countCharacters = ({ cells }: SheetRow): number =>
  [...cells.values()].reduce((sum, text) => sum + text.length, 0)

/** A file of readings as rows. */
export interface Table {
  /** Sheets of a workbook; empty for a text file. */
  readonly sheets: readonly string[]
  readonly format: TextFormat
  rows(): AsyncGenerator<SheetRow>
}

async function* readPieces(file: StoredFile, maxBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    if (at >= maxBytes) throw new UnreadableFileError(`the first rows are longer than ${maxBytes} bytes`)
    yield await file.read(at, PIECE_BYTES)
  }
}

const delimiters: readonly TextFormat['delimiter'][] = [',', ';', '\t']

/** UTF-8 unless it contains bytes that are none; the delimiter that the first line has most. */
function recogniseFormat(sample: Buffer): TextFormat {
  // The last character of the sample may be cut.
  const isUtf8 = (() => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
      return true
    } catch {
      return false
    }
  })()
  const encoding = isUtf8 ? 'utf-8' : 'gb18030'
  const [line = ''] = new TextDecoder(encoding).decode(sample).split(/\r?\n/, 1)
  const counts = delimiters.map((delimiter) => line.split(delimiter).length)
  const delimiter = delimiters[counts.indexOf(Math.max(...counts))] ?? ','
  return { encoding, delimiter }
}

/**
 * Opens a workbook or text file. `format` and `sheet` of the caller override what is recognised; `maxBytes`: how much of a text
 * file may be read. Throws UnreadableFileError.
 */
export async function openTable(
  file: StoredFile,
  {
    format,
    sheet,
    maxBytes = Number.POSITIVE_INFINITY,
  }: {
    readonly format?: TextFormat | undefined
    readonly sheet?: string | undefined
    readonly maxBytes?: number
  },
): Promise<Table> {
  const sample = await file.read(0, SAMPLE_BYTES)
  const start = sample.subarray(0, 2).toString('latin1')
  if (UTF_16_STARTS.includes(start))
    throw new UnreadableFileError('the text is in UTF-16: save it as UTF-8 or GB 18030')
  if (start === ARCHIVE_START) {
    const workbook = await openWorkbook(file)
    if (workbook.startsIn1904)
      throw new UnreadableFileError('the workbook counts dates from 1904: save it with dates from 1900')
    const name = sheet ?? workbook.sheets[0] ?? ''
    return {
      sheets: workbook.sheets,
      format: { encoding: 'utf-8', delimiter: ',' },
      rows: () => workbook.readRows(name),
    }
  }
  const used = format ?? recogniseFormat(sample)
  return { sheets: [], format: used, rows: () => readCsv(readPieces(file, maxBytes), used) }
}
