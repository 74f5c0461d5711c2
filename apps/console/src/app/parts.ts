import { lazy } from 'react'
import { type PagePart, registerParts } from '../shared/parts/page-parts.ts'
import { openTexts } from './locales.ts'
import { toNamespace } from './texts/early-texts.ts'

const found = import.meta.glob<{ readonly parts: readonly PagePart[] }>('../features/*/parts.ts', {
  eager: true,
})

/** Makes the sections that features add to pages of others known to these pages. */
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
