import { queryOptions } from '@tanstack/react-query'
import type { Language } from '../../../shared/i18n/language.ts'
import { type Chapter, readChapter } from './read-chapter.ts'

/** All chapters of one language by name. */
export type Manual = ReadonlyMap<string, Chapter>

type Files = Readonly<Record<string, string>>

/** One file for each language, so that the search needs no further call. */
const load: Readonly<Record<Language, () => Promise<Files>>> = {
  zh: async () => (await import('./zh.ts')).files,
  en: async () => (await import('./en.ts')).files,
}

export function toManual(files: Files): Manual {
  return new Map(
    Object.entries(files).map(([path, markdown]) => {
      const name = path.split('/').at(-1)?.replace(/\.md$/, '') ?? path
      return [name, readChapter(name, markdown)]
    }),
  )
}

export const manualQuery = (language: Language) =>
  queryOptions({
    queryKey: ['manual', language],
    queryFn: async () => toManual(await load[language]()),
    staleTime: Number.POSITIVE_INFINITY,
  })
