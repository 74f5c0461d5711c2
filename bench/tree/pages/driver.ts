import type { CompanyNode } from '../company.ts'

/** Rows of every tree are this high and the trees this high and wide, px. */
export const ROW_PX = 28
export const TREE_PX = 616
export const TREE_WIDTH_PX = 280

/** A row as it can be seen. */
export interface SeenRow {
  readonly label: string
  readonly checked: boolean
}

/**
 * One tree under measurement. Each call starts something; whether it has come about is looked up in what is shown.
 * What a tree cannot do is absent.
 */
export interface TreeDriver {
  /** Loads what the tree needs beside its code: its texts. */
  start?(): Promise<void>
  /** Makes what the tree takes of the list as a server answers it. */
  prepare(nodes: readonly CompanyNode[]): void
  /** Shows what was prepared, with its root open. */
  mount(host: HTMLElement): void
  unmount(): void
  /** `branches` are the ids of all nodes with children. */
  expandAll(branches: readonly string[]): void
  /** Opens these only; needed where opening everything takes too long. */
  openChain?(chain: readonly string[]): void
  /** Checks the root, and with it everything. */
  checkRoot?(): void
  uncheckAll?(): void
  /** Unchecks the household at the end of a chain of ids from the root down, while everything is checked. */
  uncheckLeaf?(chain: readonly string[]): void
  /** Checks these households and nothing else, as after a reload of the page. */
  restore?(ids: readonly string[]): void
  search?(text: string): void
  endSearch?(): void
  /** Whether a search hides what it does not find; otherwise it goes to the first match. */
  readonly searchHides: boolean
  /** Adds children to the household at the end of a chain and opens it. */
  addChildren?(chain: readonly string[], children: readonly CompanyNode[]): void
  /** What is in the document of the tree, from top to bottom. */
  see(host: HTMLElement): readonly SeenRow[]
  /** The element which scrolls. */
  findScroller(host: HTMLElement): Element | null
}

/** Reads rows by selectors; a row without a label is none. */
export function seeRows(
  host: HTMLElement,
  row: string,
  label: string,
  isChecked: (row: Element) => boolean,
): readonly SeenRow[] {
  return [...host.querySelectorAll(row)].flatMap((element) => {
    const text = element.querySelector(label)?.textContent
    return text ? [{ label: text, checked: isChecked(element) }] : []
  })
}

/** Clicks what a user would click. @throws when it is not there */
export function clickOn(host: HTMLElement, selector: string, index = 0): void {
  const found = [...host.querySelectorAll(selector)][index]
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector} number ${index}`)
  found.click()
}
