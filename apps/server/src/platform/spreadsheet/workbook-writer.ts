import { type ArchiveFile, toArchive } from './zip-writer.ts'

/** Limit of rows of a sheet without the headings: the file format ends at row 1,048,576. */
export const SHEET_ROWS = 1_048_575

/** undefined leaves a cell empty. */
export type Cell = string | number | undefined

export interface Sheet {
  readonly name: string
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[]
  /** Texts that the spreadsheet offers in the cells of a column; none where it is empty. Other texts may be typed too. */
  readonly choices?: readonly (readonly string[])[]
  /** Numbers of the columns whose headings stand out, from 0. */
  readonly marked?: readonly number[]
  /** The first row holds the headings. */
  readonly rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Cell styles: default, heading, text that no program reads as a formula, and marked heading. */
const styles = { plain: 0, heading: 1, quoted: 2, marked: 3 } as const

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML cannot contain are removed.
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** Start of a text that a spreadsheet would read as a formula. */
const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r]/

/** Letters of a column number from 0: A, Z, AA. */
const toLetters = (column: number): string =>
  (column >= 26 ? toLetters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

function toStyle(cell: string, row: number, isMarked: boolean): number {
  if (row === 1) return isMarked ? styles.marked : styles.heading
  return LOOKS_LIKE_FORMULA.test(cell) ? styles.quoted : styles.plain
}

function toCell(cell: Cell, column: number, row: number, isMarked: boolean): string {
  if (cell === undefined) return ''
  const place = `r="${toLetters(column)}${row}"`
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  return `<c ${place} s="${toStyle(cell, row, isMarked)}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
}

const toCells = (cells: readonly Cell[], row: number, marked: readonly number[]): string =>
  cells.map((cell, column) => toCell(cell, column, row, marked.includes(column))).join('')

const ROWS_PER_PIECE = 100

/** Other programs read a list of choices cell by cell, so it ends long before the sheet does. */
const LAST_CHOICE = 10_000

/** Drop-down lists below the headings. The texts have no commas and no quotes. */
function toValidations(choices: NonNullable<Sheet['choices']>): string {
  const lists = choices.flatMap((texts, column) => {
    const letters = toLetters(column)
    const list = escapeXml(texts.join(','))
    return texts.length === 0
      ? []
      : `<dataValidation type="list" allowBlank="1" sqref="${letters}2:${letters}${LAST_CHOICE}"><formula1>"${list}"</formula1></dataValidation>`
  })
  return lists.length === 0
    ? ''
    : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`
}

async function* toSheetTexts({ widths, rows, choices = [], marked = [] }: Sheet): AsyncGenerator<string> {
  const columns = widths.map((width, index) => {
    const number = index + 1
    return `<col min="${number}" max="${number}" width="${width}" customWidth="1"/>`
  })
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`
  let number = 0
  let piece = ''
  for await (const row of rows) {
    number += 1
    piece += `<row r="${number}">${toCells(row, number, marked)}</row>`
    if (number % ROWS_PER_PIECE !== 0) continue
    yield piece
    piece = ''
  }
  yield `${piece}</sheetData>${toValidations(choices)}</worksheet>`
}

const stylesXml = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="3"><font/><font><b/></font><font><b/><color rgb="FFC00000"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="49" quotePrefix="1" applyNumberFormat="1"/><xf xfId="0" fontId="2" applyFont="1"/></cellXfs></styleSheet>`

const toPath = (index: number): string => `worksheets/sheet${index + 1}.xml`

function* toFiles(sheets: readonly Sheet[]): Generator<ArchiveFile> {
  const types = sheets.map(
    (_, index) => `<Override PartName="/xl/${toPath(index)}" ContentType="${CONTENT}.worksheet+xml"/>`,
  )
  const named = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="r${index + 1}"/>`,
  )
  const targets = sheets.map(
    (_, index) => `<Relationship Id="r${index + 1}" Type="${OFFICE}/worksheet" Target="${toPath(index)}"/>`,
  )
  const file = (name: string, text: string): ArchiveFile => ({ name, texts: [HEAD, text] })
  yield file(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${types.join('')}</Types>`,
  )
  yield file(
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  yield file(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${named.join('')}</sheets></workbook>`,
  )
  yield file(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships">${targets.join('')}<Relationship Id="rs" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  )
  yield { name: 'xl/styles.xml', texts: [stylesXml] }
  for (const [index, sheet] of sheets.entries()) {
    yield { name: `xl/${toPath(index)}`, texts: toSheetTexts(sheet) }
  }
}

/** Streams an xlsx workbook; rows are read only as fast as the consumer reads. */
export const toWorkbook = (sheets: readonly Sheet[]): AsyncGenerator<Buffer> => toArchive(toFiles(sheets))
