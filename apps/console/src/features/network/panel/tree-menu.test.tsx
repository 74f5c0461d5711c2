import { SoundOutlined } from '@ant-design/icons'
import { ROOT_NODE } from '@isotherm/tree/tree'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NodeAction } from '../../../shared/nodes/node-action.ts'
import { clearTreeSelection, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import type { PageDefinition } from '../../../shared/page.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { toProjectList } from '../lists/build-lists.ts'
import { project } from '../lists/list-samples.testkit.ts'
import { TreeMenu } from './tree-menu.tsx'

/** A login replaces the tree, so it comes before the menu. */
beforeEach(async () => (await renderPart(null)).unmount())
afterEach(() => act(clearTreeSelection))

const page: PageDefinition = {
  path: '/ewph/fmreal',
  title: () => '阀门',
  nodeAction: () => '实时数据',
  load: () => new Promise(() => {}),
}

const toAction = (answer: Promise<boolean>, act = vi.fn()): NodeAction => ({
  key: 'silence',
  title: () => '静默此处',
  icon: SoundOutlined,
  ability: (node) => ({ queryKey: ['test', node], queryFn: () => answer }),
  act,
})

async function openMenu(nodeKey: string, nodeActions: readonly NodeAction[] = []) {
  const { tree } = useTreeSelection.getState()
  tree.put(ROOT_NODE, toProjectList([project(1, '热力集团')]), true)
  const onClose = vi.fn()
  const view = await renderPart(
    <TreeMenu
      tree={tree}
      open={{ nodeKey, place: { leftPx: 10, topPx: 10 } }}
      nodePages={[page]}
      nodeActions={nodeActions}
      toPageTarget={(path) => path}
      onClose={onClose}
    />,
  )
  return { tree, onClose, ...view }
}
const findItem = (name: RegExp) => screen.findByRole('menuitem', { name })

test('an action without the ability is not offered', async () => {
  await openMenu('1', [toAction(Promise.resolve(false))])
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: /静默此处/ })).toBeNull())
  expect(await findItem(/实时数据/)).toBeTruthy()
})

test('an action is disabled until its ability is known', async () => {
  await openMenu('1', [toAction(new Promise(() => {}))])
  expect((await findItem(/静默此处/)).getAttribute('aria-disabled')).toBe('true')
})

test('an action with the ability runs on the node and closes the menu', async () => {
  const act = vi.fn()
  const { onClose, user } = await openMenu('1', [toAction(Promise.resolve(true), act)])
  await waitFor(async () =>
    expect((await findItem(/静默此处/)).getAttribute('aria-disabled')).not.toBe('true'),
  )
  await user.click(await findItem(/静默此处/))
  expect(act).toHaveBeenCalledWith(expect.objectContaining({ key: '1', label: '热力集团' }))
  expect(onClose).toHaveBeenCalled()
})

test('the root offers no actions of other features and cannot be copied', async () => {
  await openMenu('-1', [toAction(Promise.resolve(true))])
  expect((await findItem(/复制地址/)).getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('menuitem', { name: /静默此处/ })).toBeNull()
})

test('a page of the menu opens with the node selected', async () => {
  const { user, address } = await openMenu('1')
  await user.click(await findItem(/实时数据/))
  expect(address()).toBe('/ewph/fmreal')
  expect(useTreeSelection.getState().current?.key).toBe('1')
})

test('the menu closes when its node is removed', async () => {
  const { tree, onClose } = await openMenu('1')
  await findItem(/实时数据/)
  act(() => tree.remove(tree.find('1') ?? ROOT_NODE))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
})
