import type { SheetRow } from './workbook-reader.ts'
import { UnreadableFileError } from './zip-reader.ts'

/** Longer texts are cut: no column accepts them. */
const MAX_CELL_CHARACTERS = 1_000
const MAX_COLUMNS = 200

export interface CsvFormat {
  readonly encoding: 'utf-8' | 'gb18030'
  readonly delimiter: string
}

/** Splits text into rows; a row or a quoted cell may continue in the next piece. */
function createSplitter(delimiter: string) {
  let number = 1
  let cells = new Map<number, string>()
  let column = 0
  let cell = ''
  let isQuoted = false
  /** The last character was a quote inside a quoted cell: it ends the cell, or the next one makes it a quote. */
  let wasQuote = false
  let wasReturn = false

  function endCell(): void {
    const text = cell.trim()
    if (text !== '') cells.set(column, text)
    cell = ''
    column += 1
    if (column > MAX_COLUMNS) throw new UnreadableFileError(`more than ${MAX_COLUMNS} columns`)
  }

  function endRow(): SheetRow | undefined {
    endCell()
    const row = cells.size > 0 ? { number, cells } : undefined
    number += 1
    cells = new Map()
    column = 0
    return row
  }

  const add = (character: string): void => {
    if (cell.length < MAX_CELL_CHARACTERS) cell += character
  }

  /** Returns the row that the character ends, if it ends one that is not empty. */
  function take(character: string): SheetRow | undefined {
    const isSecondOfLineEnd = wasReturn && character === '\n'
    wasReturn = false
    if (isQuoted && !wasQuote) {
      if (character === '"') wasQuote = true
      else add(character)
      return undefined
    }
    if (wasQuote && character === '"') {
      add(character)
      wasQuote = false
      return undefined
    }
    if (wasQuote) [isQuoted, wasQuote] = [false, false]
    if (isSecondOfLineEnd) return undefined
    if (character === '"' && cell.trim() === '') [isQuoted, cell] = [true, '']
    else if (character === delimiter) endCell()
    else if (character === '\n' || character === '\r') {
      wasReturn = character === '\r'
      return endRow()
    } else add(character)
    return undefined
  }
  return { take, endRow }
}

/**
 * Streams the rows of a text file that are not empty; rows are numbered by their lines. Memory does not grow with the file. The
 * same rows as those of a workbook. Throws UnreadableFileError.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: CsvFormat,
): AsyncGenerator<SheetRow> {
  const decoder = new TextDecoder(encoding)
  const { take, endRow } = createSplitter(delimiter)
  for await (const piece of bytes) {
    for (const character of decoder.decode(piece, { stream: true })) {
      const row = take(character)
      if (row) yield row
    }
  }
  for (const character of decoder.decode()) take(character)
  const last = endRow()
  if (last) yield last
}
