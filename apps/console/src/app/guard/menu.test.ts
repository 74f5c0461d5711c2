import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { expect, test } from 'vitest'
import type { Page } from '../../shared/page.ts'
import { findExternalIcons, findGroupTarget, isPermitted, type MenuEntry, toMenu } from './menu.ts'

const load = () => Promise.reject(new Error('not loaded in this test'))
const title = () => 'title'
const home: Page = { path: '/dashboard', title, load }
const real: Page = { path: '/ewph/fmreal', group: 'pewph', permission: 'pe-fmreal', title, load }
const control: Page = {
  path: '/ewph/fmcontrol',
  group: 'pewph',
  permission: 'pe-fmcontrol',
  title,
  load,
}
const heat: Page = { path: '/calr/caldata', group: 'pcalr', permission: 'pc-caldata', title, load }
const pages = [control, home, real, heat]

const toModule = (id: number, url: string, more: Partial<ModuleItem> = {}): ModuleItem => ({
  id,
  parentId: null,
  name: `m${id}`,
  url,
  icon: '',
  sort: id,
  enabled: true,
  ...more,
})

/** Paths and addresses of the menu; a group with its entries. */
const readMenu = (entries: readonly MenuEntry[]): unknown =>
  entries.map((entry) => {
    if (entry.kind === 'group') return [entry.group, readMenu(entry.leaves)]
    return entry.kind === 'page' ? entry.page.path : entry.link.href
  })
const menuOf = (...modules: readonly ModuleItem[]) => readMenu(toMenu(pages, modules))

test('a page without a permission value is for all users, other pages need the module with their permission value', () => {
  expect(isPermitted(home, new Set())).toBe(true)
  expect(isPermitted(real, new Set())).toBe(false)
  expect(isPermitted(real, new Set(['pewph', 'pe-fmreal']))).toBe(true)
  expect(isPermitted(real, new Set(['pe-fmreal']))).toBe(false)
})

test('the menu contains only permitted pages', () => {
  expect(menuOf()).toEqual(['/dashboard'])
  expect(menuOf(toModule(1, 'pewph'), toModule(2, 'pe-fmreal'))).toEqual([
    '/dashboard',
    ['pewph', ['/ewph/fmreal']],
  ])
  expect(menuOf(toModule(2, 'pe-fmreal'), toModule(3, 'pcalr'))).toEqual(['/dashboard'])
})

test('groups and pages are in the order of their modules', () => {
  const modules = [toModule(1, 'pewph'), toModule(2, 'pe-fmreal'), toModule(3, 'pe-fmcontrol')]
  const rest = [toModule(4, 'pcalr'), toModule(5, 'pc-caldata')]
  expect(menuOf(...modules, ...rest)).toEqual([
    '/dashboard',
    ['pewph', ['/ewph/fmreal', '/ewph/fmcontrol']],
    ['pcalr', ['/calr/caldata']],
  ])
  const moved = [...modules, ...rest].map((each) => ({ ...each, sort: -each.sort }))
  expect(menuOf(...moved)).toEqual([
    '/dashboard',
    ['pcalr', ['/calr/caldata']],
    ['pewph', ['/ewph/fmcontrol', '/ewph/fmreal']],
  ])
})

test('a module with an external address is a link in its group; without a permitted group it is at the top', () => {
  const link = toModule(3, 'https://b.cn', { parentId: 1, sort: 1 })
  expect(menuOf(toModule(1, 'pewph'), toModule(2, 'pe-fmreal'), link, toModule(4, 'tel:110'))).toEqual([
    '/dashboard',
    ['pewph', ['https://b.cn', '/ewph/fmreal']],
    'tel:110',
  ])
  expect(menuOf(link)).toEqual(['/dashboard', 'https://b.cn'])
})

test('a group that an administrator added is in the menu as soon as it has a link', () => {
  const group = toModule(7, 'px-reports')
  expect(menuOf(group)).toEqual(['/dashboard'])
  expect(menuOf(group, toModule(8, 'https://a.cn', { parentId: 7 }))).toEqual([
    '/dashboard',
    ['px-reports', ['https://a.cn']],
  ])
})

test('§2 An icon is external if it starts with http, https, mailto or tel; other icons belong to the pages', () => {
  const external = ['https://a.cn/valve.svg', 'http://a.cn/valve.svg', 'mailto:a@b.cn', 'tel:110']
  const own = ['pe-fmreal', '', '/https://a.cn', 'httpsx', 'javascript:alert(1)', 'data:image/png;base64,']
  const modules = [...external, ...own].map((icon, id) => toModule(id, `m${id}`, { icon }))
  expect([...findExternalIcons(modules).values()]).toEqual(external)
})

test('a group opens its default child, or the first permitted child', () => {
  const place = { path: '/ewph', first: 'fmreal' }
  expect(findGroupTarget(place, [control, real])).toBe('/ewph/fmreal')
  expect(findGroupTarget(place, [control])).toBe('/ewph/fmcontrol')
  expect(findGroupTarget(place, [])).toBeUndefined()
})
