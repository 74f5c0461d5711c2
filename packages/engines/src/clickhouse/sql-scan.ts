/** What the HTTP interface must know about a statement before it is executed. */
export interface Statement {
  /** read: SELECT or WITH … SELECT. insert: INSERT whose rows follow as data. other: everything else. */
  readonly kind: 'read' | 'insert' | 'other'
  /** Name after the last FORMAT outside brackets. */
  readonly format?: string
  /** insert: position for the source of the rows in the text, before SETTINGS or FORMAT. */
  readonly sourceAt?: number
  /** insert: true if the rows are in the text itself. */
  readonly inlineData?: boolean
  /** A second statement follows, which ClickHouse refuses over HTTP. */
  readonly several?: true
  /** Reads or writes a file of this machine: FROM INFILE, INTO OUTFILE. */
  readonly touchesFiles?: true
}

interface Token {
  /** Word in capitals, or the single sign. */
  readonly text: string
  readonly raw: string
  readonly start: number
  readonly end: number
  readonly depth: number
}

// White space, comments, quoted text (both ways to escape), here documents, words, any other sign.
const tokens =
  /\s+|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\]|\\[\s\S]|'')*'?|"(?:[^"\\]|\\[\s\S]|"")*"?|`(?:[^`\\]|\\[\s\S]|``)*`?|\$(\w*)\$[\s\S]*?\$\1\$|[\p{L}\p{N}_]+|[\s\S]/gu
const skipped = /^(?:\s|--|#[ !]|\/\*)/u
const word = /^[\p{L}\p{N}_]/u

function* scan(sql: string): Generator<Token> {
  let depth = 0
  for (const match of sql.matchAll(tokens)) {
    const raw = match[0]
    if (skipped.test(raw)) continue
    if (raw === ')' || raw === ']' || raw === '}') depth = Math.max(0, depth - 1)
    const text = word.test(raw) ? raw.toUpperCase() : raw
    yield { text, raw, start: match.index, end: match.index + raw.length, depth }
    if (raw === '(' || raw === '[' || raw === '{') depth += 1
  }
}

/** Scans a statement as far as necessary: the rows of an INSERT are not read. */
export function describeStatement(sql: string): Statement {
  const all = scan(sql)
  const first = all.next()
  if (first.done) return { kind: 'other' }
  if (first.value.text === 'INSERT') return describeInsert(sql, all)
  return describeRest(first.value.text === 'SELECT' || first.value.text === 'WITH', all)
}

function describeRest(isRead: boolean, rest: Iterable<Token>): Statement {
  let format: string | undefined
  let previous = ''
  let ended = false
  let several = false
  let touchesFiles = false
  let kind: Statement['kind'] = isRead ? 'read' : 'other'
  for (const token of rest) {
    if (ended && token.text !== ';') several = true
    if (token.depth === 0) {
      if (token.text === ';') ended = true
      if (previous === 'FORMAT' && word.test(token.raw)) format = token.raw
      if (previous === 'INTO' && token.text === 'OUTFILE') touchesFiles = true
      if (previous === 'FROM' && token.text === 'INFILE') touchesFiles = true
      if (token.text === 'INSERT') kind = 'other'
    }
    previous = token.text
  }
  return {
    kind,
    ...(format === undefined ? {} : { format }),
    ...(several ? { several } : {}),
    ...(touchesFiles ? { touchesFiles } : {}),
  }
}

function describeInsert(sql: string, rest: Generator<Token>): Statement {
  let sourceAt: number | undefined
  let previous = ''
  for (const token of rest) {
    if (token.depth === 0) {
      if (token.text === 'SELECT' || token.text === 'WITH') {
        // INSERT … SELECT takes its rows from the engine itself.
        const { format: _, ...select } = describeRest(false, rest)
        return select
      }
      if (previous === 'FROM' && token.text === 'INFILE') return { kind: 'other', touchesFiles: true }
      if (token.text === 'VALUES' || (token.text === ';' && sourceAt === undefined)) {
        return { kind: 'other', inlineData: true, format: 'Values' }
      }
      if (previous === 'FORMAT' && word.test(token.raw) && sourceAt !== undefined) {
        const inlineData = /\S/.test(sql.slice(token.end).replace(/^\s*;/, ''))
        return { kind: 'insert', format: token.raw, sourceAt, inlineData }
      }
      if (token.text === 'SETTINGS' || token.text === 'FORMAT') sourceAt ??= token.start
    }
    previous = token.text
  }
  return { kind: 'other' }
}

/** A value as a literal of ClickHouse SQL. */
export function quoteText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** A name as a quoted identifier of ClickHouse SQL. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}
