import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { TreeRow, type TreeRowProps } from './tree-row.tsx'

const plain: TreeRowProps = {
  id: 'row-1',
  node: 1,
  nodeKey: '4',
  label: '一号站',
  searchText: '',
  depth: 3,
  position: 1,
  siblings: 2,
  check: 'off',
  branch: 'closed',
  busy: false,
  current: false,
  focused: false,
  levelText: '换热站',
  devices: undefined,
  health: undefined,
  healthText: '',
  silencedText: undefined,
  lostText: undefined,
  restText: undefined,
  menuText: '节点菜单',
}
const renderRow = (over: Partial<TreeRowProps>) => renderPart(<TreeRow {...plain} {...over} />)

test.each([
  ['off', 'false'],
  ['on', 'true'],
  ['part', 'mixed'],
] as const)('the check %s is announced as %s', async (check, state) => {
  await renderRow({ check })
  expect(screen.getByRole('treeitem').getAttribute('aria-checked')).toBe(state)
})

test('a leaf has no toggle and no expanded state', async () => {
  await renderRow({ branch: 'none' })
  expect(screen.getByRole('treeitem').hasAttribute('aria-expanded')).toBe(false)
  expect(screen.queryByTestId('tree-toggle-4')).toBeNull()
})

test('device health is a dot with its text; without devices there is no dot', async () => {
  const { unmount } = await renderRow({ health: 'alarm', healthText: '3 台设备中 2 台失联', devices: '3' })
  expect(screen.getByTestId('tree-dot').textContent).toBe('3 台设备中 2 台失联')
  unmount()
  await renderRow({ health: 'none', healthText: '没有设备' })
  expect(screen.queryByTestId('tree-dot')).toBeNull()
})

test('a failed load and a silence are shown in words', async () => {
  await renderRow({ lostText: '加载失败，重试', silencedText: '静默至 8:00：检修' })
  expect(screen.getByTestId('tree-lost-4').textContent).toBe('加载失败，重试')
  expect(screen.getByTestId('tree-silenced-4').textContent).toContain('静默至 8:00：检修')
})

test('the match of a search is highlighted in the label', async () => {
  const { container } = await renderRow({ searchText: '号站' })
  expect(container.querySelector('mark')?.textContent).toBe('号站')
})
