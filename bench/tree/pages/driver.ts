import type { CompanyNode } from '../company.ts'

/** Row height of every tree, px. */
export const ROW_PX = 28
export const TREE_PX = 616
export const TREE_WIDTH_PX = 280

/** A visible row. */
export interface VisibleRow {
  readonly label: string
  readonly checked: boolean
}

/**
 * Controls the tree that is measured. Each call starts an operation; the bench checks the result in the visible rows.
 * Operations that a tree does not support are absent.
 */
export interface TreeDriver {
  /** Loads the texts of the tree. */
  start?(): Promise<void>
  /** Converts the list of a server to the input of the tree. */
  prepare(nodes: readonly CompanyNode[]): void
  /** Shows the prepared tree with its root open. */
  mount(host: HTMLElement): void
  unmount(): void
  /** `branches` are the ids of all nodes with children. */
  expandAll(branches: readonly string[]): void
  /** Opens only these nodes, for trees that take too long to open everything. */
  openChain?(chain: readonly string[]): void
  /** Checks the root and so all nodes. */
  checkRoot?(): void
  uncheckAll?(): void
  /** Unchecks the household at the end of a chain of ids from the root, while everything is checked. */
  uncheckLeaf?(chain: readonly string[]): void
  /** Checks these households and nothing else, as after a reload of the page. */
  restore?(ids: readonly string[]): void
  search?(text: string): void
  endSearch?(): void
  /** Whether a search hides the other rows. If not, it scrolls to the first match. */
  readonly searchHides: boolean
  /** Adds children to the household at the end of a chain and opens it. */
  addChildren?(chain: readonly string[], children: readonly CompanyNode[]): void
  /** Rows that are in the document, from top to bottom. */
  readVisibleRows(host: HTMLElement): readonly VisibleRow[]
  /** The scrolling element. */
  findScroller(host: HTMLElement): Element | null
}

/** Reads the visible rows by CSS selectors; ignores rows without a label. */
export function readRows(
  host: HTMLElement,
  row: string,
  label: string,
  isChecked: (row: Element) => boolean,
): readonly VisibleRow[] {
  return [...host.querySelectorAll(row)].flatMap((element) => {
    const text = element.querySelector(label)?.textContent
    return text ? [{ label: text, checked: isChecked(element) }] : []
  })
}

/** Clicks an element. @throws if it does not exist */
export function clickOn(host: HTMLElement, selector: string, index = 0): void {
  const found = [...host.querySelectorAll(selector)][index]
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector} number ${index}`)
  found.click()
}
