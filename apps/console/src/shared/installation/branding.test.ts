import type { ConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { expect, test } from 'vitest'
import { zh } from '../locales/zh.ts'
import { toBranding } from './branding.ts'

const settings: ConsoleSettings = {
  companyTitle: '北方热力',
  companyLogo: '/brand/logo.svg',
  sidebarLogo: 1,
  loginSrcId: 0,
  demo: false,
  heatingSeason: { first: '11-15', last: '03-15' },
  timeZone: 'Asia/Shanghai',
}
const titles = zh.title

test('§1 Id 0 gives a company-specific title and logo', () => {
  expect(toBranding(0, settings, titles)).toEqual({
    documentTitle: '北方热力',
    topBarTitle: '北方热力',
    logo: { kind: 'company', src: '/brand/logo.svg' },
  })
})

test.each([128, 1, -1, Number.NaN])(
  '§1 Id 128, or any other value, gives the title 二网平衡系统 with no logo: %d',
  (id) => {
    expect(toBranding(id, { ...settings, sidebarLogo: 2 }, titles)).toEqual({
      documentTitle: '二网平衡系统',
      topBarTitle: '二网平衡监控系统',
      logo: undefined,
    })
  },
)

test('§1 The top bar shows the title 二网平衡监控系统 when there is no logo', () => {
  const without = { ...settings, companyLogo: null }
  expect(toBranding(0, without, titles)).toEqual({
    documentTitle: '北方热力',
    topBarTitle: '二网平衡监控系统',
    logo: undefined,
  })
  expect(toBranding(0, { ...without, companyTitle: null }, titles).documentTitle).toBe('二网平衡系统')
})

test('§9 Sidebar logo options: none, the company logo, or the common logo', () => {
  const logoOf = (sidebarLogo: ConsoleSettings['sidebarLogo']) =>
    toBranding(0, { ...settings, sidebarLogo }, titles).logo?.kind
  expect([logoOf(0), logoOf(1), logoOf(2)]).toEqual([undefined, 'company', 'common'])
})
