import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRecordName, toTabKey } from './tab-key.ts'
import {
  addAffixed,
  closeAllTabs,
  closeOtherTabs,
  closeTab,
  closeTabsAfter,
  closeTabsBefore,
  moveTab,
  type Tab,
  visitTab,
} from './tabs.ts'

const tab = (path: string, fullPath = path): Tab => ({ key: path, path, fullPath, affix: false })
const home: Tab = { ...tab('/dashboard'), affix: true }
const real = tab('/ewph/fmreal', '/ewph/fmreal?sort=flow')
const history = tab('/ewph/fmhistory')
const control = tab('/ewph/fmcontrol')

test('§2 Tab strip: each path has one tab; a tab remembers its last address', () => {
  const once = visitTab([home], tab('/ewph/fmreal'))
  expect(visitTab(once, real)).toEqual([home, real])
  expect(visitTab([home, real], real)).toEqual([home, real])
})

test('§2 Tab strip: pages marked affix are listed once, in front', () => {
  expect(addAffixed([real], ['/dashboard'])).toEqual([home, real])
  const tabs = [home, real]
  expect(addAffixed(tabs, ['/dashboard'])).toBe(tabs)
})

test('§2 Tab strip: closing the active tab goes to the last remaining tab', () => {
  expect(closeTab([home, real, history], '/ewph/fmreal', '/ewph/fmreal')).toEqual({
    tabs: [home, history],
    goTo: '/ewph/fmhistory',
  })
  expect(closeTab([home, history, real], '/ewph/fmhistory', '/ewph/fmhistory').goTo).toBe(
    '/ewph/fmreal?sort=flow',
  )
})

test('§2 Tab strip: closing the active tab goes to / if none is left', () => {
  expect(closeTab([real], '/ewph/fmreal', '/ewph/fmreal')).toEqual({ tabs: [], goTo: '/' })
})

test('closing a tab in the background does not change the current page, even if that has no tab', () => {
  expect(closeTab([home, real, history], '/ewph/fmreal', '/ewph/fmhistory').goTo).toBeUndefined()
  expect(closeTab([home, real], undefined, '/ewph/fmreal')).toEqual({ tabs: [home], goTo: undefined })
})

test('§2 Tab strip: pages marked affix cannot be closed', () => {
  expect(closeTab([home], '/dashboard', '/dashboard')).toEqual({ tabs: [home], goTo: undefined })
  expect(closeAllTabs([home, real], '/ewph/fmreal')).toEqual({ tabs: [home], goTo: '/dashboard' })
  expect(closeOtherTabs([home, real, control], '/ewph/fmcontrol', '/ewph/fmreal')).toEqual({
    tabs: [home, real],
    goTo: '/ewph/fmreal?sort=flow',
  })
})

test('if closing all tabs on one side closes the current page, the tab with the menu comes to the front', () => {
  const tabs = [home, real, history, control]
  expect(closeTabsBefore(tabs, '/ewph/fmreal', '/ewph/fmhistory')).toEqual({
    tabs: [home, history, control],
    goTo: '/ewph/fmhistory',
  })
  expect(closeTabsAfter(tabs, '/ewph/fmcontrol', '/ewph/fmreal')).toEqual({
    tabs: [home, real],
    goTo: '/ewph/fmreal?sort=flow',
  })
  expect(closeTabsAfter(tabs, '/dashboard', '/ewph/fmreal').goTo).toBeUndefined()
})

test('a tab is moved to the place of another', () => {
  expect(moveTab([home, real, history, control], '/ewph/fmcontrol', '/ewph/fmreal')).toEqual([
    home,
    control,
    real,
    history,
  ])
  expect(moveTab([home, real, history], '/ewph/fmreal', '/ewph/fmhistory')).toEqual([home, history, real])
})

test('a key is the path with the parameters that identify a record, in the order of the page definition', () => {
  expect(toTabKey('/dev/devdebug', '?tab=raw&id=7', { identity: ['id'] })).toBe('/dev/devdebug?id=7')
  expect(toTabKey('/dev/devdebug', '?b=2&a=1', { identity: ['a', 'b'] })).toBe('/dev/devdebug?a=1&b=2')
  expect(toTabKey('/ewph/fmreal', '?sort=flow', {})).toBe('/ewph/fmreal')
  expect(toTabKey('/dev/devdebug', '', { identity: ['id'] })).toBe('/dev/devdebug')
  expect(toRecordName('/dev/devdebug?id=7')).toBe('7')
  expect(toRecordName('/dev/devdebug')).toBe('')
})

const paths = ['/a', '/b', '/c', '/d', '/e', '/f']
const anyPath = fc.constantFrom('/dashboard', ...paths)
type Step = { readonly kind: string; readonly path: string; readonly other: string }
const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('visit', 'query', 'close', 'others', 'before', 'after', 'all', 'move', 'lost'),
  path: anyPath,
  other: anyPath,
})

interface Strip {
  readonly tabs: readonly Tab[]
  /** Key of the tab in front; absent on /404. */
  readonly active: string | undefined
}

function go(tabs: readonly Tab[], fullPath: string): Strip {
  const path = fullPath === '/' ? '/dashboard' : (fullPath.split('?')[0] ?? fullPath)
  const visited = {
    key: path,
    path,
    fullPath: fullPath === '/' ? path : fullPath,
    affix: path === '/dashboard',
  }
  return { tabs: visitTab(addAffixed(tabs, ['/dashboard']), visited), active: path }
}

function step({ tabs, active }: Strip, { kind, path, other }: Step): Strip {
  const apply = (closed: { tabs: readonly Tab[]; goTo: string | undefined }): Strip =>
    closed.goTo === undefined ? { tabs: closed.tabs, active } : go(closed.tabs, closed.goTo)
  if (kind === 'visit') return go(tabs, path)
  if (kind === 'query') return go(tabs, `${path}?from=${other}`)
  if (kind === 'lost') return { tabs, active: undefined }
  if (kind === 'move') return { tabs: moveTab(tabs, path, other), active }
  if (kind === 'all') return apply(closeAllTabs(tabs, active))
  if (!tabs.some((each) => each.key === path)) return { tabs, active }
  if (kind === 'close') return apply(closeTab(tabs, active, path))
  if (kind === 'others') return apply(closeOtherTabs(tabs, active, path))
  if (kind === 'before') return apply(closeTabsBefore(tabs, active, path))
  return apply(closeTabsAfter(tabs, active, path))
}

test('after any actions, keys are unique, affixed tabs are in front, and the current page has a tab', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      let strip = go([], '/')
      for (const each of steps) {
        strip = step(strip, each)
        const keys = strip.tabs.map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
        expect(strip.tabs[0]?.key).toBe('/dashboard')
        expect(strip.tabs.filter((one) => one.affix)).toHaveLength(1)
        if (strip.active !== undefined) expect(keys).toContain(strip.active)
        if (each.kind === 'all') expect(strip).toMatchObject({ active: '/dashboard', tabs: { length: 1 } })
        if (each.kind === 'close' && each.path !== '/dashboard') expect(keys).not.toContain(each.path)
      }
    }),
  )
})

test('moving a tab does not remove or add tabs', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyPath), anyPath, anyPath, (open, key, place) => {
      const tabs = addAffixed(
        open.filter((path) => path !== '/dashboard').map((path) => tab(path)),
        ['/dashboard'],
      )
      const moved = moveTab(tabs, key, place)
      expect(moved.map((each) => each.key).toSorted()).toEqual(tabs.map((each) => each.key).toSorted())
    }),
  )
})
