import { posix } from 'node:path'
import { readXml } from './xml-events.ts'
import { type Archive, openArchive, type StoredFile, UnreadableFileError } from './zip-reader.ts'

/** One row of a sheet: its number from 1 and the texts of its cells by column from 0, without empty cells. */
export interface SheetRow {
  readonly number: number
  readonly cells: ReadonlyMap<number, string>
}

export interface Workbook {
  readonly sheets: readonly string[]
  /** Numbers of dates count days from 1904 instead of 1900. */
  readonly startsIn1904: boolean
  /** Streams the rows that are not empty, in order. Throws UnreadableFileError. */
  readRows(sheet: string): AsyncGenerator<SheetRow>
}

/** 200,000 rows of 30 cells are about 360 MB of XML. */
const MAX_UNPACKED_BYTES = 600 * 1024 * 1024
/** Limit of the shared texts, which are held in memory. */
const MAX_SHARED_CHARACTERS = 24 * 1024 * 1024
const MAX_SHARED_TEXTS = 1_000_000
/** Longer texts are cut: no column accepts them. */
const MAX_CELL_CHARACTERS = 1_000
const MAX_COLUMNS = 200
const WORKBOOK = 'xl/workbook.xml'

async function exhaust(reading: AsyncGenerator<void>): Promise<void> {
  for await (const _ of reading);
}

interface Contents {
  /** Files of the sheets by name. */
  readonly files: ReadonlyMap<string, string>
  readonly startsIn1904: boolean
}

async function readContents(archive: Archive): Promise<Contents> {
  const [targets, sheets] = [new Map<string, string>(), new Map<string, string>()]
  let startsIn1904 = false
  const ignore = (): void => undefined
  await exhaust(
    readXml(archive.open('xl/_rels/workbook.xml.rels'), {
      open(name, { Id = '', Target = '' }) {
        if (name === 'Relationship') targets.set(Id, posix.resolve('/xl', Target).slice(1))
      },
      text: ignore,
      close: ignore,
    }),
  )
  await exhaust(
    readXml(archive.open(WORKBOOK), {
      open(tag, { name, ...attributes }) {
        const target = targets.get(attributes['r:id'] ?? '')
        if (tag === 'workbookPr') startsIn1904 = /^(?:1|true|on)$/.test(attributes.date1904 ?? '')
        if (tag === 'sheet' && name !== undefined && target !== undefined) sheets.set(name.trim(), target)
      },
      text: ignore,
      close: ignore,
    }),
  )
  return { files: sheets, startsIn1904 }
}

/** Collects the text of `t` elements, without the phonetic readings of Chinese or Japanese characters. */
function createTextCollector() {
  let text = ''
  let isText = false
  let isReading = false
  return {
    open(name: string) {
      if (name === 't') isText = true
      if (name === 'rPh') isReading = true
    },
    text(more: string) {
      if (isText && !isReading && text.length < MAX_CELL_CHARACTERS) text += more
    },
    close(name: string) {
      if (name === 't') isText = false
      if (name === 'rPh') isReading = false
    },
    take(): string {
      const whole = text.slice(0, MAX_CELL_CHARACTERS).toWellFormed()
      text = ''
      return whole
    },
  }
}

async function readSharedTexts(archive: Archive): Promise<readonly string[]> {
  const name = 'xl/sharedStrings.xml'
  const texts: string[] = []
  if (!archive.has(name)) return texts
  const collector = createTextCollector()
  let characters = 0
  await exhaust(
    readXml(archive.open(name), {
      open: collector.open,
      text: collector.text,
      close(tag) {
        collector.close(tag)
        if (tag !== 'si') return
        const text = collector.take()
        characters += text.length
        if (characters > MAX_SHARED_CHARACTERS || texts.length >= MAX_SHARED_TEXTS) {
          throw new UnreadableFileError('the workbook holds too many texts')
        }
        texts.push(text)
      },
    }),
  )
  return texts
}

/** Column of a cell reference such as AB12, from 0; undefined without a column. */
function toColumn(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Shortest text of a number: a file may store 0.29999999999999999 where 0.3 was typed. Other texts stay unchanged. */
function toNumberText(text: string): string {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? String(number) : text
}

interface OpenCell {
  readonly column: number
  readonly type: string
  value: string
}

/** Parses the rows of one sheet from its XML. */
function createRowCollector(shared: readonly string[]) {
  const inline = createTextCollector()
  let rows: SheetRow[] = []
  let number = 0
  let cells = new Map<number, string>()
  let column = -1
  let cell: OpenCell | undefined
  let isValue = false

  function toText({ type, value }: OpenCell): string {
    if (type === 's') return shared[Number(value)] ?? ''
    if (type === 'inlineStr') return inline.take()
    if (type === 'b') return value === '1' ? 'true' : 'false'
    if (type === 'str' || type === 'e') return value
    return toNumberText(value)
  }

  function closeCell(): void {
    if (!cell) return
    const text = toText(cell).trim()
    if (text !== '') cells.set(cell.column, text)
    cell = undefined
  }

  return {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      inline.open(name)
      if (name === 'row') {
        number = attributes.r === undefined ? number + 1 : Number(attributes.r)
        if (!Number.isSafeInteger(number)) throw new UnreadableFileError('the workbook is damaged')
        cells = new Map()
        column = -1
      } else if (name === 'c') {
        column = toColumn(attributes.r ?? '') ?? column + 1
        if (column >= MAX_COLUMNS) throw new UnreadableFileError(`more than ${MAX_COLUMNS} columns`)
        cell = { column, type: attributes.t ?? 'n', value: '' }
      } else if (name === 'v') isValue = true
    },
    text(text: string) {
      inline.text(text)
      if (isValue && cell && cell.value.length < MAX_CELL_CHARACTERS) cell.value += text
    },
    close(name: string) {
      inline.close(name)
      if (name === 'v') isValue = false
      else if (name === 'c') closeCell()
      else if (name === 'row' && cells.size > 0) rows.push({ number, cells })
    },
    take(): readonly SheetRow[] {
      const taken = rows
      rows = []
      return taken
    },
  }
}

/**
 * Opens an xlsx workbook of any program. Memory does not grow with the number of rows, except for shared texts. A formula
 * has its last computed value. Throws UnreadableFileError.
 */
export async function openWorkbook(file: StoredFile): Promise<Workbook> {
  const archive = await openArchive(file, MAX_UNPACKED_BYTES)
  const { files, startsIn1904 } = await readContents(archive)
  const shared = await readSharedTexts(archive)
  return {
    sheets: [...files.keys()],
    startsIn1904,
    async *readRows(sheet) {
      const collector = createRowCollector(shared)
      for await (const _ of readXml(archive.open(files.get(sheet) ?? ''), collector)) yield* collector.take()
      yield* collector.take()
    },
  }
}
