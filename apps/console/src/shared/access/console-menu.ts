import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { createContext, useContext } from 'react'

/** An entry of the menu: a page or link, or a group with its pages. */
export interface PreviewEntry {
  readonly key: string
  readonly title: string
  /** Titles in the group; empty for a page or link at the top. */
  readonly titles: readonly string[]
}

/** A page that a user may open. */
export interface OwnPage {
  readonly path: string
  readonly title: string
}

/** What administration needs of the menu of the console. */
export interface ConsoleMenu {
  /** Name of a module as the menu shows it; undefined for a module without a page. */
  readonly findName: (module: ModuleItem) => string | undefined
  /** The menu of a user who has these modules. */
  readonly preview: (modules: readonly ModuleItem[]) => readonly PreviewEntry[]
  /** The pages of the console that a user with these modules may open; a module without a page has none. */
  readonly listPages: (modules: readonly ModuleItem[]) => readonly OwnPage[]
}

/** Provided by the shell, which knows all pages. */
export const ConsoleMenuContext = createContext<ConsoleMenu>({
  findName: () => undefined,
  preview: () => [],
  listPages: () => [],
})

export const useConsoleMenu = (): ConsoleMenu => useContext(ConsoleMenuContext)
