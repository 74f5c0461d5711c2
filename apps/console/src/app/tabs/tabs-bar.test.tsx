import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { findPage } from '../pages.ts'
import { TabsBar } from './tabs-bar.tsx'
import { clearTabs, recordVisit } from './tabs-store.ts'

const listTabs = () => screen.getAllByRole('listitem').map((item) => item.textContent)

async function openPages(...paths: readonly string[]) {
  const view = await renderPart(<TabsBar />, {
    permissions: ['pewph', 'pe-fmreal', 'pe-fmhistory'],
    address: paths.at(-1) ?? '/',
  })
  act(() => {
    for (const path of paths) recordVisit(findPage(path), path)
  })
  return view
}

beforeEach(clearTabs)

describe('the tab strip', () => {
  test('shows each visited page once, after the home page', async () => {
    await openPages('/dashboard', '/ewph/fmreal', '/ewph/fmhistory', '/ewph/fmreal')
    expect(listTabs()).toEqual(['首页', '阀门实时监测', '阀门历史数据'])
  })

  test('the home page cannot be closed; after closing another tab, its neighbour comes to the front', async () => {
    const { user, address } = await openPages('/dashboard', '/ewph/fmreal')
    const [home, valves] = screen.getAllByRole('listitem')
    if (!home || !valves) throw new Error('two tabs are missing')
    expect(within(home).queryByRole('button')).toBeNull()
    await user.click(within(valves).getByRole('button', { name: /关闭/ }))
    expect(listTabs()).toEqual(['首页'])
    expect(address()).toBe('/dashboard')
  })

  test('arrow keys move the focus along the tabs', async () => {
    const { user } = await openPages('/dashboard', '/ewph/fmreal')
    const links = screen.getAllByRole('link')
    links[1]?.focus()
    await user.keyboard('{ArrowLeft}')
    expect(document.activeElement).toBe(links[0])
  })
})
