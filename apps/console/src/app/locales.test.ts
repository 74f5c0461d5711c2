import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeLanguage, i18n, startI18n } from '../shared/i18n/i18n.ts'
import { findAntdTexts, loadTexts, openTexts } from './locales.ts'

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

const balancing = (key: 'eqmonitor.title' | 'place.all') => i18n.t(key, { ns: 'balancing' })

test('a feature has its menu texts at first, and all texts after its first page was opened', async () => {
  expect(balancing('eqmonitor.title')).toBe('温度平衡管理')
  expect(balancing('place.all')).toBe('place.all')
  await openTexts('balancing')
  expect(balancing('eqmonitor.title')).toBe('温度平衡管理')
  expect(balancing('place.all')).toBe('全部换热站')
})

test('another language loads all texts of opened features and the menu texts of the others', async () => {
  await openTexts('balancing')
  await changeLanguage('en')
  expect(balancing('place.all')).toBe('All stations')
  expect(i18n.t('title', { ns: 'map' })).toBe('Map')
  expect(i18n.t('loading', { ns: 'map' })).toBe('loading')
})

test('a page that is opened during a change of language gets the texts of the new language', async () => {
  await changeLanguage('en')
  const [opening, changing] = [openTexts('map'), changeLanguage('zh')]
  await Promise.all([opening, changing])
  expect(i18n.t('loading', { ns: 'map' })).toBe('正在打开地图')
})

test('a feature without separate menu texts has all texts from the start', async () => {
  await openTexts('valves')
  await changeLanguage('zh')
  expect(i18n.t('fmreal.title', { ns: 'valves' })).toBe('阀门实时监测')
  expect(i18n.t('column.address', { ns: 'valves' })).toBe('位置')
})

test('the texts of antd’s components are loaded with the texts of a language', async () => {
  expect(findAntdTexts('zh')?.Modal?.okText).toBe('确定')
  await changeLanguage('en')
  expect(findAntdTexts('en')?.Modal?.okText).toBe('OK')
})
