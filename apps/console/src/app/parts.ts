import { lazy } from 'react'
import { type PagePart, registerParts } from '../shared/parts/page-parts.ts'
import { openTexts } from './locales.ts'
import { toNamespace } from './texts/early-texts.ts'

const found = import.meta.glob<{ readonly parts: readonly PagePart[] }>('../features/*/parts.ts', {
  eager: true,
})

/**
 * Registers the sections that features add to pages of other features, so that these pages can show them. A section loads
 * together with the texts of its feature.
 */
export function collectParts(): void {
  registerParts(
    Object.entries(found).flatMap(([path, { parts }]) =>
      parts.map(({ load, ...part }) => ({
        ...part,
        Content: lazy(async () => {
          const [content] = await Promise.all([load(), openTexts(toNamespace(path))])
          return content
        }),
      })),
    ),
  )
}
