import type { RoutePath } from '@isotherm/contract/access/routes'
import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'

/**
 * A section that a feature adds to a page of another feature, declared in `features/<feature>/parts.ts`
 * (`export const parts`). The page shows its parts as tabs.
 */
export interface PagePart {
  readonly page: RoutePath
  /** Word in the address: `?section=rooms`. */
  readonly key: string
  readonly title: (t: TFunction) => string
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

/** A part that is ready to be rendered. */
export interface LoadedPart extends Pick<PagePart, 'page' | 'key' | 'title'> {
  readonly Content: ComponentType
}

let known: readonly LoadedPart[] = []

/** Called once by the app, which finds the parts of all features. */
export const registerParts = (parts: readonly LoadedPart[]): void => {
  known = parts
}

/** Parts that features add to a page, in order. */
export const findParts = (page: RoutePath): readonly LoadedPart[] =>
  known.filter((part) => part.page === page)
