import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeProduct, toModules } from '../testing/fake-product.testkit.ts'
import {
  expectAddress,
  findTab,
  goWithin,
  openTabs,
  renderConsole,
} from '../testing/render-console.testkit.tsx'

const readCrumbs = () =>
  within(screen.getByRole('navigation', { name: '当前位置' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent?.trim())

/** Opens a group in the menu of a narrow screen: the light DOM does not open the menus of the top bar by hovering. */
async function openGroup(user: Awaited<ReturnType<typeof renderConsole>>['user'], name: string) {
  await user.click(await screen.findByTestId('menu-open'))
  await user.click(await within(await screen.findByRole('dialog')).findByText(name))
}

test('§2 both tokens exist and the target is /login: redirect to /, which leads to /dashboard', async () => {
  await renderConsole({ role: 'viewer', address: '/login?redirect=%2Fewph%2Ffmreal' })
  await expectAddress('/dashboard')
  await findTab('/dashboard')
})

test('§2 both tokens exist and the target is /login, written /%6Cogin: redirect to /', async () => {
  await renderConsole({ role: 'viewer', address: '/%6Cogin' })
  await expectAddress('/dashboard')
})

test('§2 every spelling of a path leads to the same page with its tab, title and tree', async () => {
  await renderConsole({ role: 'viewer', address: '/EWPH/fmreal/?sort=-flowM3h#row' })
  await expectAddress('/ewph/fmreal?sort=-flowM3h#row')
  await findTab('/ewph/fmreal')
  expect(await screen.findByRole('tree')).toBeTruthy()
  await waitFor(() => expect(document.title).toMatch(/^阀门实时监测/))
})

test('§2 The root / redirects to /dashboard (title Home, no permission value)', async () => {
  const product = startFakeProduct()
  product.permit([])
  await renderConsole({ role: 'viewer', address: '/', product })
  await expectAddress('/dashboard')
  await waitFor(() => expect(document.title).toMatch(/^首页 - /))
  expect(readCrumbs()).toEqual(['首页'])
})

test('§2 Modules are matched to routes by the url carried in each module item', async () => {
  const product = startFakeProduct()
  // Names and ids belong to other modules: only the url counts.
  const modules = toModules(['pewph', 'pe-fmhistory'])
  product.permit(modules.map((module) => ({ ...module, id: module.id + 900, name: 'pe-fmcontrol' })))
  await renderConsole({ role: 'viewer', address: '/ewph/fmhistory', product })
  await findTab('/ewph/fmhistory')
  await goWithin('/ewph/fmcontrol')
  await expectAddress('/404')
})

test('username and password in a query are removed: a link cannot change the user', async () => {
  const { product } = await renderConsole({
    role: 'viewer',
    address: '/ewph/fmreal?username=admin&password=x&sort=flow',
  })
  await expectAddress('/ewph/fmreal?sort=flow')
  expect((await screen.findByTestId('user-menu')).textContent).toBe('viewer')
  expect(product.api.paths()).not.toContain('/usrCloud/user/login')
})

test('§2 catch-all redirect to /404, which names the requested address', async () => {
  const { user } = await renderConsole({ role: 'viewer', address: '/no/such/page?x=1' })
  await expectAddress('/404')
  expect(await screen.findByText('没有这个页面')).toBeTruthy()
  expect(screen.getByText('您要打开的是 /no/such/page')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '返回首页' }))
  await expectAddress('/dashboard')
})

test('§2 a page without permission shows /404, which names the missing module', async () => {
  await renderConsole({ role: 'viewer', address: '/ewph/fmcontrol' })
  await expectAddress('/404')
  const lacking = await screen.findByTestId('lacking-module')
  expect(lacking.textContent).toContain('阀门控制管理')
  expect(lacking.textContent).toContain('管理员')
})

test('in English /404 names the missing module', async () => {
  await renderConsole({ role: 'viewer', address: '/ewph/fmcontrol', language: 'en' })
  expect((await screen.findByTestId('lacking-module')).textContent).toContain('Valve control')
})

test('§2 default: a parent opens its default child, or the first permitted child', async () => {
  const { product, load } = await renderConsole({ role: 'viewer', address: '/ewph' })
  const entries = history.length
  await expectAddress('/ewph/fmreal')
  await findTab('/ewph/fmreal')
  expect(history.length, 'the redirect makes no entry').toBe(entries)
  product.permit(['pewph', 'pe-fmhistory'])
  await load('/ewph')
  await expectAddress('/ewph/fmhistory')
  product.permit([])
  await load('/ewph')
  await expectAddress('/404')
  // The menu leaves out a group without a permitted page.
  const menu = within(await screen.findByTestId('menu'))
  expect(await menu.findByText('首页')).toBeTruthy()
  expect(menu.queryByText('灌溉监控')).toBeNull()
})

test('§2 refreshing uses /redirect{fullPath}, with query and hash', async () => {
  await renderConsole({ role: 'viewer', address: '/redirect//example.org/x' })
  await expectAddress('/dashboard')
  await findTab('/dashboard')
  await goWithin('/redirect/ewph/fmhistory?range=15m#chart')
  await expectAddress('/ewph/fmhistory?range=15m#chart')
})

test('§2 Navbar: a breadcrumb with home first; a horizontal top menu of the permitted routes, empty parents left out', async () => {
  const { user } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmcontrol' })
  await findTab('/ewph/fmcontrol')
  expect(readCrumbs()).toEqual(['首页', '灌溉监控', '阀门控制管理'])
  await user.click(
    within(screen.getByRole('navigation', { name: '当前位置' })).getByRole('link', { name: /首页/ }),
  )
  await expectAddress('/dashboard')
  await waitFor(() => expect(readCrumbs()).toEqual(['首页']))
  const menu = screen.getByTestId('menu')
  expect(menu.textContent).toContain('灌溉监控')
  expect(menu.textContent).not.toContain('系统管理')
})

test('§2 An icon is external if it starts with http: it is shown, or the icon of the page if it cannot be loaded', async () => {
  const product = startFakeProduct()
  const icons: Readonly<Record<string, string>> = {
    'pe-fmreal': `${location.origin}/favicon.svg`,
    'pe-fmhistory': 'https://icons.example.com/valve.svg',
  }
  product.permit(
    toModules(['pewph', 'pe-fmreal', 'pe-fmhistory']).map((module) => ({
      ...module,
      icon: icons[module.url] ?? '',
    })),
  )
  const { user } = await renderConsole({ role: 'viewer', product, widthPx: 900 })
  await openGroup(user, '灌溉监控')
  const realtime = await screen.findByRole('menuitem', { name: /阀门实时监测/ })
  expect(realtime.querySelector('img')?.getAttribute('src')).toBe(icons['pe-fmreal'])
  const past = await screen.findByRole('menuitem', { name: /阀门历史数据/ })
  // The security policy of the page blocks the address, which the browser reports as an error of the image.
  past.querySelector('img')?.dispatchEvent(new Event('error'))
  await waitFor(() => expect(past.querySelector('img')).toBeNull())
  expect(past.querySelector('svg')).not.toBeNull()
})

test('the console opens the home page with its tab when no address is given', async () => {
  await renderConsole({ role: 'viewer', address: '/' })
  await findTab('/dashboard')
  expect(openTabs()).toEqual(['/dashboard'])
})
