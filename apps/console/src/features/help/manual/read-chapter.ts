import { lexer, type MarkedToken, type Token } from 'marked'

export interface Heading {
  readonly level: number
  readonly text: string
  /** Unique in the chapter; the anchor that GitHub gives the heading. */
  readonly slug: string
}

/** A heading with the text up to the next one, for the search. */
export interface Section extends Heading {
  readonly body: string
}

/** A chapter of the manual, parsed from its Markdown file. */
export interface Chapter {
  /** Name of the file without its extension. */
  readonly name: string
  readonly title: string
  readonly tokens: readonly MarkedToken[]
  readonly sections: readonly Section[]
}

const KNOWN: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
])

/** Whether the token is one of Markdown itself; there are no extensions. */
const isKnown = (token: Token): token is MarkedToken => KNOWN.has(token.type)

/** The tokens that are not of an extension. */
export const toKnown = (tokens: readonly Token[] = []): readonly MarkedToken[] => tokens.filter(isKnown)

/** The tokens in a token, and the plain text between two of them. */
function toParts(token: MarkedToken): { readonly tokens: readonly Token[]; readonly between: string } {
  if (token.type === 'list') return { tokens: token.items, between: ' ' }
  if (token.type === 'table') {
    const cells = [token.header, ...token.rows].flat()
    return {
      tokens: cells.map(({ text, tokens }) => ({ type: 'text', raw: text, text, tokens })),
      between: ' ',
    }
  }
  return { tokens: 'tokens' in token ? (token.tokens ?? []) : [], between: '' }
}

/** The text of tokens without its marks. */
export function toPlainText(tokens: readonly Token[] = [], between = ''): string {
  return toKnown(tokens)
    .map((token) => {
      const parts = toParts(token)
      if (parts.tokens.length > 0) return toPlainText(parts.tokens, parts.between)
      return 'text' in token ? token.text : ' '
    })
    .join(between)
}

/** The anchor of a heading, as GitHub makes it: letters of any script, digits and hyphens. */
export function toSlug(text: string, used: ReadonlySet<string>): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  let slug = plain
  for (let count = 1; used.has(slug); count += 1) slug = `${plain}-${count}`
  return slug
}

/** Parses a chapter. `name`: its file without the extension. */
export function readChapter(name: string, markdown: string): Chapter {
  const tokens = toKnown(lexer(markdown))
  const used = new Set<string>()
  const sections: Section[] = []
  let heading: Heading | undefined
  let body: string[] = []
  const end = () => {
    if (heading) sections.push({ ...heading, body: body.join(' ') })
    body = []
  }
  for (const token of tokens) {
    if (token.type !== 'heading') {
      body.push(toPlainText([token]))
      continue
    }
    end()
    const text = toPlainText(token.tokens)
    heading = { level: token.depth, text, slug: toSlug(text, used) }
    used.add(heading.slug)
  }
  end()
  return { name, title: sections[0]?.text ?? name, tokens, sections }
}
