import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MenuPreview } from '../../shared/access/menu-preview.tsx'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { ConsoleMenuProvider } from './console-menu-provider.tsx'

const moduleOf = (id: number, url: string, over: Partial<ModuleItem> = {}): ModuleItem => ({
  id,
  parentId: null,
  name: '',
  url,
  icon: '',
  sort: id,
  enabled: true,
  ...over,
})

async function show(modules: readonly ModuleItem[]): Promise<readonly (string | null)[]> {
  await renderPart(
    <ConsoleMenuProvider>
      <MenuPreview modules={modules} />
    </ConsoleMenuProvider>,
  )
  return [...screen.getByTestId('menu-preview').children].map(({ textContent }) => textContent)
}

test('the preview shows the menu of a user with these modules, which need not be those of the signed-in user', async () => {
  const modules = [moduleOf(1, 'pewph'), moduleOf(2, 'pe-fmreal'), moduleOf(3, 'pgis')]
  expect(await show(modules)).toEqual(['首页', '灌溉监控阀门实时监测'])
})

test('a page without its group and a disabled module are not in the preview', async () => {
  const modules = [
    moduleOf(1, 'pe-fmreal'),
    moduleOf(2, 'psys'),
    moduleOf(3, 'ps-rolesys', { enabled: false }),
  ]
  expect(await show(modules)).toEqual(['首页'])
})

test('a module that an administrator renamed has that name', async () => {
  expect(await show([moduleOf(1, 'psys', { name: '后台' }), moduleOf(2, 'ps-rolesys')])).toEqual([
    '首页',
    '后台角色管理',
  ])
})
