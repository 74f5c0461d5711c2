import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { useSelectedNodes, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { useNotices } from '../../../shared/notices/notices.ts'
import { clearAccess } from '../../../shared/session/session-store.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { SelectionGone } from '../../../shared/ui/selection-gone.tsx'
import TreeEditor from '../edit/tree-editor.tsx'
import { TreePanel, type TreePanelProps } from './tree-panel.tsx'

/** Longest wait for a state of the tree, ms: a busy machine is slow. */
const TIMEOUT_MS = 10_000

/** Waits until the check passes. */
export const eventually = (check: () => void): Promise<void> => waitFor(check, { timeout: TIMEOUT_MS })

/** A page that shows the names of the nodes that a user selected, as the pages with devices do. */
function SelectedPage(): ReactNode {
  const nodes = useSelectedNodes()
  const { tree } = useTreeSelection()
  if (!nodes) return <SelectionGone />
  const names = nodes.map((key) => tree.view(tree.find(key) ?? 0).label)
  return <output data-testid="page">{names.length === 0 ? '全部' : names.join()}</output>
}

/** Text of the page beside the tree: names of the selected nodes, or 全部. */
export const pageText = (): string | null | undefined => screen.queryByTestId('page')?.textContent

type Options = RenderOptions & TreePanelProps

/** Renders the tree with a page beside it. */
export function renderTree({ nodePages, nodeActions, silenced, toPageTarget, ...options }: Options = {}) {
  stubLayout()
  const props: TreePanelProps = {
    ...(nodePages && { nodePages }),
    ...(nodeActions && { nodeActions }),
    ...(silenced && { silenced }),
    ...(toPageTarget && { toPageTarget }),
  }
  return renderPart(
    <>
      <TreePanel {...props} />
      <TreeEditor />
      <SelectedPage />
    </>,
    options,
  )
}

export type TreeView = Awaited<ReturnType<typeof renderPart>>

/** Renders the tree and waits until its first load is shown. */
export async function openTree(options: Options = {}): Promise<TreeView> {
  const view = await renderTree(options)
  await findRow('城东区域')
  return view
}

/** Ends the document, as a reload or a closed tab does. The storage of the tab stays. */
export function leavePage(view: TreeView): void {
  window.dispatchEvent(new Event('pagehide'))
  view.unmount()
  clearAccess()
}

const listItems = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('[role="treeitem"]'),
]
const toLabel = (row: HTMLElement): string => row.querySelector('.tree-label')?.textContent ?? ''

/** Rendered rows with exactly this label. */
export const listRows = (name: string): readonly HTMLElement[] =>
  listItems().filter((row) => toLabel(row) === name)

/** The first rendered row with this label; throws without one. */
export function getRow(name: string): HTMLElement {
  const [row] = listRows(name)
  if (!row) throw new Error(`no row ${name}`)
  return row
}

/** Waits for a row. */
export async function findRow(name: string): Promise<HTMLElement> {
  await eventually(() => void getRow(name))
  return getRow(name)
}

/** A part of a row that the pointer can hit. */
export function partOf(name: string, part: 'toggle' | 'check' | 'rest'): Element {
  const found = getRow(name).querySelector(`[data-part="${part}"]`)
  if (!found) throw new Error(`no part ${part} in row ${name}`)
  return found
}

/** A state of a row: `checked`, `expanded`, `selected`, `setsize`, `posinset` or `level`. */
export const stateOf = (name: string, state: string): string | null =>
  getRow(name).getAttribute(`aria-${state}`)

/** Waits until a row has a state. */
export const expectState = (name: string, state: string, value: string): Promise<void> =>
  eventually(() => {
    const now = stateOf(name, state)
    if (now !== value) throw new Error(`${name} is ${state} ${now}, expected ${value}`)
  })

/** Expands rows, one below the other. */
export async function expand({ user }: TreeView, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await findRow(name)
    if (stateOf(name, 'expanded') !== 'true') await user.click(partOf(name, 'toggle'))
    await expectState(name, 'expanded', 'true')
  }
}

/** Clicks the checkbox of a row. */
export const clickCheck = ({ user }: TreeView, name: string): Promise<void> =>
  user.click(partOf(name, 'check'))

/** Opens the menu of a row and chooses an item. */
export async function chooseItem({ user }: TreeView, name: string, item: string | RegExp): Promise<void> {
  fireEvent.contextMenu(getRow(name))
  await user.click(await screen.findByRole('menuitem', { name: item }, { timeout: TIMEOUT_MS }))
}

/** Label of the row that the keyboard is on. */
export function focusedLabel(): string | undefined {
  const id = document.activeElement?.getAttribute('aria-activedescendant')
  const row = id ? document.getElementById(id) : null
  return row ? toLabel(row) : undefined
}

/** Texts of the messages shown so far, with the time they stay, s. */
export const listNotices = () =>
  useNotices.getState().notices.map(({ level, text, durationS }) => ({ level, text, durationS }))
