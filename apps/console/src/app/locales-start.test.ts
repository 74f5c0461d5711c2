import { afterAll, expect, test, vi } from 'vitest'
import { i18n, startI18n } from '../shared/i18n/i18n.ts'
import { loadTexts, openTexts } from './locales.ts'

afterAll(() => vi.unstubAllGlobals())

test('the page of the address is opened before there are any texts, and has its own', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['zh-CN'] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  const opening = openTexts('map')
  await startI18n(loadTexts)
  await opening
  expect(i18n.t('loading', { ns: 'map' })).toBe('正在打开地图')
  expect(i18n.t('place.all', { ns: 'balancing' })).toBe('place.all')
})
