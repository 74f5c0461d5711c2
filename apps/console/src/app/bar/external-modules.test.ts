import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { expect, test } from 'vitest'
import { findExternalIcons, findExternalModules } from './external-modules.ts'

const toModule = (id: number, url: string, more: Partial<ModuleItem> = {}): ModuleItem => ({
  id,
  parentId: null,
  name: `m${id}`,
  url,
  icon: url,
  sort: id,
  enabled: true,
  ...more,
})

test('a module with an external address is a link in its group, in the order of the modules', () => {
  const modules = [
    toModule(1, 'psys'),
    toModule(3, 'https://b.cn', { parentId: 1 }),
    toModule(2, 'https://a.cn', { parentId: 1 }),
    toModule(4, 'tel:110'),
    toModule(5, 'pe-fmreal', { parentId: 1 }),
  ]
  expect(findExternalModules(modules)).toEqual([
    { id: 2, name: 'm2', href: 'https://a.cn', group: 'psys' },
    { id: 3, name: 'm3', href: 'https://b.cn', group: 'psys' },
    { id: 4, name: 'm4', href: 'tel:110', group: undefined },
  ])
})

test('§2 An icon is external if it starts with http, https, mailto or tel; other icons belong to the pages', () => {
  const external = ['https://a.cn/valve.svg', 'http://a.cn/valve.svg', 'mailto:a@b.cn', 'tel:110']
  const own = ['pe-fmreal', '', '/https://a.cn', 'httpsx', 'javascript:alert(1)', 'data:image/png;base64,']
  const modules = [...external, ...own].map((icon, id) => toModule(id, `m${id}`, { icon }))
  expect([...findExternalIcons(modules).values()]).toEqual(external)
})
