import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { permissionNamesEn } from '@isotherm/contract/locales/access/permissions.en'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'
import { metrics } from '@isotherm/contract/metrics'
import { type Token, walkTokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { CONTENTS } from '../../features/help/help-store.ts'
import { files as filesEn } from '../../features/help/manual/en.ts'
import { toManual } from '../../features/help/manual/manual-query.ts'
import { type Chapter, toKnown, toPlainText } from '../../features/help/manual/read-chapter.ts'
import { toTarget } from '../../features/help/manual/to-target.ts'
import { files as filesZh } from '../../features/help/manual/zh.ts'
import { pages } from '../pages.ts'
import { toChapter } from './to-chapter.ts'

const docs = join(import.meta.dirname, '../../../../../docs/manual')
const manuals = { zh: toManual(filesZh), en: toManual(filesEn) }
const languages = ['zh', 'en'] as const

/** Every token of a chapter, with those inside of others. */
function listTokens(chapter: Chapter): readonly Token[] {
  const tokens: Token[] = []
  walkTokens([...chapter.tokens], (token) => void tokens.push(token))
  return tokens
}

const listKnown = (chapter: Chapter) => toKnown(listTokens(chapter))

/** What a chapter has, without its words: levels of headings, sizes of lists and tables, links and pictures. */
const toOutline = (chapter: Chapter, language: (typeof languages)[number]): readonly string[] =>
  listKnown(chapter).flatMap((token) => {
    if (token.type === 'heading') return [`heading ${token.depth}`]
    if (token.type === 'list') return [`list of ${token.items.length}`]
    if (token.type === 'table') return [`table of ${token.header.length} × ${token.rows.length}`]
    if (token.type === 'image') return [`picture ${token.href.replace(`-${language}.`, '.')}`]
    return []
  })

/** The chapters a chapter links to. Their order may differ between languages, where sentences do. */
const listLinked = (chapter: Chapter): readonly string[] =>
  listKnown(chapter)
    .flatMap((token) => (token.type === 'link' ? [token.href.replace(/#.*/, '#')] : []))
    .toSorted()

describe.each(languages)('the manual in %s', (language) => {
  const manual = manuals[language]
  const chapters = [...manual.values()]
  const names = language === 'zh' ? permissionNamesZh : permissionNamesEn

  test('every page of the console has a chapter with its name', () => {
    expect(pages.length).toBeGreaterThan(30)
    const titles = pages.map((page) => [page.path, manual.get(toChapter(page))?.title])
    const home = language === 'zh' ? '首页' : 'Home'
    const expected = pages.map(({ path, permission }) => [path, permission ? names[permission] : home])
    expect(titles).toEqual(expected)
  })

  test('the table of contents leads to every chapter, once', () => {
    const contents = manual.get(CONTENTS)
    const linked = contents ? listLinked(contents).map((href) => href.replace('.md', '')) : []
    expect(linked).toEqual([...manual.keys()].filter((name) => name !== CONTENTS).toSorted())
  })

  test('every link leads to an existing chapter and heading', () => {
    const broken = chapters.flatMap((chapter) =>
      listKnown(chapter).flatMap((token) => {
        if (token.type !== 'link') return []
        const target = toTarget(token.href, chapter.name)
        if (target.kind !== 'place') return [`${chapter.name}: ${token.href}`]
        const { chapter: name, heading } = target.place
        const sections = manual.get(name)?.sections
        const isFound =
          heading === undefined
            ? sections
            : sections?.some(({ slug, level }) => slug === heading && level > 1)
        return isFound ? [] : [`${chapter.name}: ${token.href}`]
      }),
    )
    expect(broken).toEqual([])
  })

  test('every picture exists, is described and is smaller than 150 kB', () => {
    const faulty = chapters.flatMap((chapter) =>
      listKnown(chapter).flatMap((token) => {
        if (token.type !== 'image') return []
        const file = join(docs, language, token.href)
        const isFine = existsSync(file) && statSync(file).size < 150_000 && token.text !== ''
        return isFine ? [] : [`${chapter.name}: ${token.href}`]
      }),
    )
    expect(faulty).toEqual([])
  })

  test('a chapter has no HTML, and only Markdown that the console renders', () => {
    const odd = chapters.flatMap((chapter) =>
      listTokens(chapter)
        .filter(({ type }) => type === 'html' || type === 'def' || type === 'checkbox')
        .map(({ type, raw }) => `${chapter.name}: ${type} ${raw}`),
    )
    expect(odd).toEqual([])
  })

  test('bold text is a text of the console, with … for its values', () => {
    const known = new Set(listTexts(language))
    const unknown = chapters.flatMap((chapter) =>
      listKnown(chapter).flatMap((token) => {
        if (token.type !== 'strong') return []
        const text = toPlainText(token.tokens)
        return known.has(text) ? [] : [`${chapter.name}: ${text}`]
      }),
    )
    expect(unknown).toEqual([])
  })
})

test('both languages have the same chapters with the same headings, lists, tables and pictures', () => {
  expect([...manuals.en.keys()].toSorted()).toEqual([...manuals.zh.keys()].toSorted())
  for (const [name, chapter] of manuals.zh) {
    const other = manuals.en.get(name)
    expect(other && toOutline(other, 'en'), name).toEqual(toOutline(chapter, 'zh'))
    expect(other && listLinked(other), name).toEqual(listLinked(chapter))
  }
})

const locales = import.meta.glob<Readonly<Record<string, unknown>>>(
  ['../../{features,shared}/**/locales/*.ts', '!**/*.test.ts'],
  { eager: true },
)

/** The texts in an object of texts, without the names of their values. */
function listStrings(texts: unknown): readonly string[] {
  if (typeof texts === 'string') return [texts.replaceAll(/\{\{\w+\}\}/g, '…')]
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(listStrings) : []
}

const listTexts = (language: (typeof languages)[number]): readonly string[] => [
  ...Object.values(metrics).map((metric) => metric[language]),
  ...Object.entries(locales).flatMap(([path, texts]) =>
    path.endsWith(`${language}.ts`) ? listStrings(texts) : [],
  ),
]
