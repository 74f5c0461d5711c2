import { afterAll, beforeAll, expect, test, vi } from 'vitest'

beforeAll(() => {
  // Other tests may have started the console's only instance.
  vi.resetModules()
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['zh-CN'] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a page that opens before any texts are loaded gets its texts', async () => {
  const { i18n, startI18n } = await import('../shared/i18n/i18n.ts')
  const { loadTexts, openTexts } = await import('./locales.ts')
  const opening = openTexts('map')
  await startI18n(loadTexts)
  await opening
  expect(i18n.t('loading', { ns: 'map' })).toBe('正在打开地图')
  expect(i18n.t('place.all', { ns: 'balancing' })).toBe('place.all')
})
