import { expect, test } from 'vitest'
import { addAffixed, closeAllTabs, closeOtherTabs, closeTab, type Tab, visitTab } from './tabs.ts'

const tab = (path: string, fullPath = path): Tab => ({ path, fullPath, affix: false })
const home: Tab = { path: '/dashboard', fullPath: '/dashboard', affix: true }
const real = tab('/ewph/fmreal', '/ewph/fmreal?sort=flow')
const history = tab('/ewph/fmhistory')
const control = tab('/ewph/fmcontrol')

test('a page has one tab, which remembers where it was left', () => {
  const once = visitTab([home], tab('/ewph/fmreal'))
  expect(visitTab(once, real)).toEqual([home, real])
  expect(visitTab([home, real], real)).toEqual([home, real])
})

test('affixed pages are there once, in front', () => {
  expect(addAffixed([real], ['/dashboard'])).toEqual([home, real])
  const tabs = [home, real]
  expect(addAffixed(tabs, ['/dashboard'])).toBe(tabs)
})

test('closing the page in front leads to the last one left', () => {
  expect(closeTab([home, real, history], '/ewph/fmreal', '/ewph/fmreal')).toEqual({
    tabs: [home, history],
    goTo: '/ewph/fmhistory',
  })
  expect(closeTab([home, history, real], '/ewph/fmhistory', '/ewph/fmhistory').goTo).toBe(
    '/ewph/fmreal?sort=flow',
  )
})

test('closing the last page leads to the start', () => {
  expect(closeTab([real], '/ewph/fmreal', '/ewph/fmreal')).toEqual({ tabs: [], goTo: '/' })
})

test('closing a page behind leaves the user where they are', () => {
  expect(closeTab([home, real, history], '/ewph/fmreal', '/ewph/fmhistory').goTo).toBeUndefined()
})

test('an affixed page cannot be closed in any way', () => {
  expect(closeTab([home], '/dashboard', '/dashboard')).toEqual({ tabs: [home], goTo: undefined })
  expect(closeAllTabs([home, real], '/ewph/fmreal')).toEqual({ tabs: [home], goTo: '/dashboard' })
  expect(closeOtherTabs([home, real, control], '/ewph/fmcontrol', '/ewph/fmreal')).toEqual({
    tabs: [home, real],
    goTo: '/ewph/fmreal?sort=flow',
  })
})
