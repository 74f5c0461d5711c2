import { permissionNamesEn } from '@isotherm/contract/locales/access/permissions.en'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeLanguage, i18n, startI18n } from '../shared/i18n/i18n.ts'
import { loadTexts } from './locales.ts'
import { pages } from './pages.ts'

beforeAll(async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  vi.stubGlobal('navigator', { languages: ['zh-CN'] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  await startI18n(loadTexts)
})
afterAll(() => vi.unstubAllGlobals())

test('menu, tab and title of a page are the name of its module, in both languages', async () => {
  for (const [language, names] of [
    ['zh', permissionNamesZh],
    ['en', permissionNamesEn],
  ] as const) {
    await changeLanguage(language)
    const titles = pages.flatMap(({ path, permission, title }) =>
      permission ? [[path, title(i18n.t), names[permission]]] : [],
    )
    expect(titles.filter(([, title, name]) => title !== name)).toEqual([])
  }
})
