import { ROOT_NODE } from '@isotherm/tree/tree'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearTreeSelection, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { toProjectList } from '../lists/build-lists.ts'
import { project } from '../lists/list-samples.testkit.ts'
import { TreeFooter } from './tree-footer.tsx'

/** A login replaces the tree, so it comes before the selection. */
beforeEach(async () => (await renderPart(null)).unmount())
afterEach(() => act(clearTreeSelection))

function checkProjects(names: readonly string[]): void {
  const { tree } = useTreeSelection.getState()
  tree.put(ROOT_NODE, toProjectList([...names, '未选'].map((name, index) => project(index + 1, name))), true)
  for (const index of names.keys()) tree.check(tree.find(String(index + 1)) ?? ROOT_NODE, true)
  useTreeSelection.setState({ covering: tree.covering().map((node) => tree.view(node).key) })
}

test('without a selection the footer is empty', async () => {
  const { container } = await renderPart(<TreeFooter />)
  expect(container.textContent).toBe('')
})

test('several checked nodes are counted and named', async () => {
  checkProjects(['甲', '乙'])
  await renderPart(<TreeFooter />)
  expect(screen.getByTestId('tree-selection').textContent).toBe('2 处：甲、乙')
})

test('at most twelve names are listed', async () => {
  checkProjects(Array.from({ length: 14 }, (_, index) => `项目${index}`))
  await renderPart(<TreeFooter />)
  const text = screen.getByTestId('tree-selection').textContent
  expect(text).toMatch(/^14 处：.*项目11…$/)
})

test('a removed selection is named, and the button clears it', async () => {
  useTreeSelection.setState({ gone: true })
  const { user, container } = await renderPart(<TreeFooter />)
  expect(screen.getByTestId('tree-selection').textContent).not.toBe('')
  await user.click(screen.getByTestId('tree-clear'))
  expect(useTreeSelection.getState().gone).toBe(false)
  expect(container.textContent).toBe('')
})
