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
  /** Name of a module as the menu shows it: given by an administrator, else in the user's language. */
  readonly nameOf: (module: ModuleItem) => string
  /** The menu of a user who has these modules. */
  readonly preview: (modules: readonly ModuleItem[]) => readonly PreviewEntry[]
}

/** Provided by the shell, which knows all pages. */
export const ConsoleMenuContext = createContext<ConsoleMenu>({
  nameOf: ({ name }) => name,
  preview: () => [],
})

export const useConsoleMenu = (): ConsoleMenu => useContext(ConsoleMenuContext)
