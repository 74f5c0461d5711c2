import type { SheetRow } from './workbook-reader.ts'
import { UnreadableFileError } from './zip-reader.ts'

/**
 * Longer texts are cut: no column accepts them. A longer quoted cell is refused: its quote was probably never closed, and it
 * would swallow the rows that follow.
 */
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
  /**
   * Where the last character was: in a cell without quotes, in a quoted cell, on a quote in it that ends the cell unless
   * another one follows, or behind the quoted text.
   */
  let place: 'plain' | 'quoted' | 'quote' | 'closed' = 'plain'
  let wasReturn = false

  function endCell(): void {
    const text = cell.trim()
    if (text !== '') cells.set(column, text)
    cell = ''
    place = 'plain'
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

  const fail = (what: string): UnreadableFileError => new UnreadableFileError(`row ${number}: ${what}`)

  function add(character: string): void {
    if (cell.length < MAX_CELL_CHARACTERS) cell += character
    else if (place === 'quoted') throw fail('a quoted cell does not end')
  }

  function takeQuoted(character: string): void {
    if (character === '"') place = 'quote'
    else add(character)
  }

  /** Returns the row that the character ends, if it ends one that is not empty. */
  function take(character: string): SheetRow | undefined {
    // No cell has it, and PostgreSQL cannot store it.
    if (character === '\u0000') return undefined
    const isSecondOfLineEnd = wasReturn && character === '\n'
    wasReturn = false
    if (isSecondOfLineEnd) return undefined
    if (place === 'quoted') takeQuoted(character)
    else if (place === 'quote' && character === '"') {
      place = 'quoted'
      add(character)
    } else if (character === delimiter) endCell()
    else if (character === '\n' || character === '\r') {
      wasReturn = character === '\r'
      return endRow()
    } else if (place !== 'plain') {
      if (character.trim() !== '') throw fail('a text follows a closing quote')
      place = 'closed'
    } else if (character === '"' && cell.trim() === '') [place, cell] = ['quoted', '']
    else add(character)
    return undefined
  }

  /** Returns the last row, if it is not empty. */
  function end(): SheetRow | undefined {
    if (place === 'quoted') throw fail('a quoted cell does not end')
    return endRow()
  }
  return { take, end }
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
  const { take, end } = createSplitter(delimiter)
  for await (const piece of bytes) {
    for (const character of decoder.decode(piece, { stream: true })) {
      const row = take(character)
      if (row) yield row
    }
  }
  for (const character of decoder.decode()) take(character)
  const last = end()
  if (last) yield last
}
