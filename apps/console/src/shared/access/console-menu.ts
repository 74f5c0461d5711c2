import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { createContext, useContext } from 'react'

/** An entry of the menu: a page or link, or a group with its pages. */
export interface PreviewEntry {
  readonly key: string
  readonly title: string
  /** Titles in the group; empty for a page or link at the top. */
  readonly titles: readonly string[]
}

/** What administration needs of the menu of the console. */
export interface ConsoleMenu {
  /** Name of a module as the menu shows it; undefined for a module without a page. */
  readonly findName: (module: ModuleItem) => string | undefined
  /** The menu of a user who has these modules. */
  readonly preview: (modules: readonly ModuleItem[]) => readonly PreviewEntry[]
}

/** Provided by the shell, which knows all pages. */
export const ConsoleMenuContext = createContext<ConsoleMenu>({
  findName: () => undefined,
  preview: () => [],
})

export const useConsoleMenu = (): ConsoleMenu => useContext(ConsoleMenuContext)
