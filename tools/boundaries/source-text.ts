/**
 * TypeScript text with everything except code replaced by blanks, so that a word in a comment or a string does not count
 * as code. Lines and columns do not change. A scanner is sufficient: it only finds the boundaries of comments, strings,
 * templates and regular expressions.
 */
export interface MaskedSource {
  /** Comments blanked. */
  readonly withoutComments: string
  /** Comments, regular expressions and the insides of texts blanked; code inside `${}` stays. */
  readonly codeOnly: string
}

const REGEX_MAY_FOLLOW =
  /(?:^|[([{,;=:!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of|do|else|yield|await|=>))\s*$/

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Index just past the closing quote (or the end of line or text, for a quote that never closes). */
function skipQuoted(text: string, start: number): number {
  const quote = text[start]
  let at = start + 1
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

/** Index just past the part of a template that starts at `start`: after the closing backtick or after `${`. */
function skipTemplate(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    if (text[at] === '\\') at += 2
    else if (text[at] === '`') return at + 1
    else if (text.startsWith('${', at)) return at + 2
    else at += 1
  }
  return text.length
}

/** Index just past a regular expression's closing slash, or `start` when the slash is a division. */
function skipRegex(text: string, start: number): number {
  if (!REGEX_MAY_FOLLOW.test(text.slice(Math.max(0, start - 80), start))) return start
  let inClass = false
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at += 1) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return at + 1
  }
  return start
}

type Piece = 'code' | 'comment' | 'text' | 'regex'

function findPiece(text: string, at: number): { readonly kind: Piece; readonly end: number } {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at)
    return { kind: 'comment', end: end < 0 ? text.length : end }
  }
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2)
    return { kind: 'comment', end: end < 0 ? text.length : end + 2 }
  }
  if (text[at] === "'" || text[at] === '"') return { kind: 'text', end: skipQuoted(text, at) }
  if (text[at] === '/') {
    const end = skipRegex(text, at)
    if (end > at) return { kind: 'regex', end }
  }
  return { kind: 'code', end: at + 1 }
}

export function maskSource(text: string): MaskedSource {
  const withoutComments: string[] = []
  const codeOnly: string[] = []
  /** Braces open in each template expression we are inside of, the innermost last. */
  const templates: number[] = []
  let at = 0
  const put = (end: number, kind: Piece): void => {
    const part = text.slice(at, end)
    withoutComments.push(kind === 'comment' ? blank(part) : part)
    codeOnly.push(kind === 'code' ? part : blank(part))
    at = end
  }
  const putTemplate = (start: number): void => {
    const end = skipTemplate(text, start)
    if (text.slice(at, end).endsWith('${')) templates.push(0)
    put(end, 'text')
  }
  while (at < text.length) {
    const depth = templates.at(-1)
    if (text[at] === '`') putTemplate(at + 1)
    else if (text[at] === '}' && depth === 0) {
      templates.pop()
      putTemplate(at + 1)
    } else {
      const { kind, end } = findPiece(text, at)
      if (depth !== undefined && text[at] === '{') templates[templates.length - 1] = depth + 1
      if (depth !== undefined && text[at] === '}') templates[templates.length - 1] = depth - 1
      put(end, kind)
    }
  }
  return { withoutComments: withoutComments.join(''), codeOnly: codeOnly.join('') }
}

/** Line number, from 1, of an index in a text. */
export const toLine = (text: string, index: number): number => text.slice(0, index).split('\n').length
