import { modules } from '@isotherm/contract/access/permissions'
import { expect, test } from 'vitest'
import type { Page } from '../../shared/page.ts'
import { findGroupTarget, isPermitted, toMenu } from './menu.ts'

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
const pages = [control, home, real]

test('a page without a permission value is for all users, other pages need the module with their permission value', () => {
  expect(isPermitted(home, new Set())).toBe(true)
  expect(isPermitted(real, new Set())).toBe(false)
  expect(isPermitted(real, new Set(['pewph', 'pe-fmreal']))).toBe(true)
  expect(isPermitted(real, new Set(['pe-fmreal']))).toBe(false)
})

test('the menu contains only permitted pages, in the order of the specification', () => {
  const everything = toMenu(pages, modules, new Set(['pewph', 'pe-fmreal', 'pe-fmcontrol']))
  expect(everything.groups).toEqual([{ group: 'pewph', pages: [real, control] }])
  const viewer = toMenu(pages, modules, new Set(['pewph', 'pe-fmreal']))
  expect(viewer.groups).toEqual([{ group: 'pewph', pages: [real] }])
  expect(toMenu(pages, modules, new Set())).toEqual({ single: [home], groups: [] })
})

test('a group opens its default child, or the first permitted child', () => {
  const place = { path: '/ewph', first: 'fmreal' }
  expect(findGroupTarget(place, [control, real])).toBe('/ewph/fmreal')
  expect(findGroupTarget(place, [control])).toBe('/ewph/fmcontrol')
  expect(findGroupTarget(place, [])).toBeUndefined()
})
