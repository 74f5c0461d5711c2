/** Separates the cells of a line: comma, semicolon or tab. */
const SEPARATOR = /[,;\t，；]/
/** Heads of the column with the serials, in files of this product and of others. */
const HEAD = /^(设备编号|编号|序列号|serial( number)?|imei|sn|device (no|number|serial))\.?$/i

const toCells = (line: string): readonly string[] =>
  line.split(SEPARATOR).map((cell) => cell.trim().replace(/^['"]+|['"]+$/g, ''))

/**
 * The serials of a text, each once: one per line, or the column of a CSV file that its first line names as serials, else
 * its first column.
 */
export function parseSerials(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const rows = lines.map(toCells)
  const head = rows[0]?.findIndex((cell) => HEAD.test(cell)) ?? -1
  const serials = rows.slice(head < 0 ? 0 : 1).map((cells) => cells[Math.max(0, head)] ?? '')
  return [...new Set(serials.filter((serial) => serial !== ''))]
}

/** The text of a file in UTF-8, else in GB 18030, which spreadsheets in China save. */
export function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}
