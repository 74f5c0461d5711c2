import type { Chapter, Section } from './read-chapter.ts'

/** A section that contains all words, with the text around the first word. */
export interface Found {
  readonly chapter: Chapter
  readonly section: Section
  readonly excerpt: string
}

/** Characters of the excerpt before and after the word. */
const BEFORE = 20
const AFTER = 60

function toExcerpt(body: string, word: string): string {
  const at = Math.max(0, body.toLowerCase().indexOf(word))
  const start = Math.max(0, at - BEFORE)
  const end = at + word.length + AFTER
  const text = body.slice(start, end).trim()
  return `${start > 0 ? '…' : ''}${text}${end < body.length ? '…' : ''}`
}

/** The sections with every word of the input. Those with the first word in their heading come first. */
export function findSections(chapters: readonly Chapter[], typed: string): readonly Found[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return []
  const found = chapters.flatMap((chapter) =>
    chapter.sections
      .filter((section) => {
        const text = `${section.text} ${section.body}`.toLowerCase()
        return words.every((word) => text.includes(word))
      })
      .map((section) => ({ chapter, section, excerpt: toExcerpt(section.body, first) })),
  )
  const rank = ({ section }: Found): number => (section.text.toLowerCase().includes(first) ? 0 : 1)
  return found.toSorted((left, right) => rank(left) - rank(right))
}
