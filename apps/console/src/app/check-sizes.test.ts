import { expect, test } from 'vitest'
import { findHeavyPages } from '../../check-sizes.ts'

const scripts = new Map([
  ['entry.js', { kb: 150, imports: ['react.js'], modules: ['/src/main.tsx'] }],
  ['react.js', { kb: 100, imports: [], modules: ['react'] }],
  [
    'shell.js',
    { kb: 100, imports: ['react.js'], modules: ['/src/app/shell-layout.tsx', '/src/dashboard-page.tsx'] },
  ],
  ['login.js', { kb: 30, imports: ['react.js'], modules: ['/src/login-page.tsx'] }],
  ['texts.js', { kb: 20, imports: [], modules: ['/src/app/texts/zh.ts'] }],
  ['tables.js', { kb: 150, imports: ['react.js'], modules: ['antd/table'] }],
  ['list.js', { kb: 70, imports: ['tables.js'], modules: ['/src/features/lists/list-page.tsx'] }],
  [
    'rooms.js',
    { kb: 60, imports: ['tables.js', 'shell.js'], modules: ['/src/features/rooms/rooms-page.tsx'] },
  ],
  ['zh.js', { kb: 11, imports: [], modules: ['/src/features/rooms/locales/pages.zh.ts'] }],
])
const entry = '/src/main.tsx'

test('a page is too large by what it loads besides the first page, with its texts, each script once', () => {
  const pages = ['/src/features/lists/list-page.tsx', '/src/features/rooms/rooms-page.tsx']
  expect(findHeavyPages(entry, pages, scripts)).toEqual([
    '/src/features/rooms/rooms-page.tsx: 221.0 kB, limit 220 kB',
  ])
})

test('the first page is too large by what all its parts load', () => {
  const larger = new Map([
    ...scripts,
    ['login.js', { kb: 50.1, imports: [], modules: ['/src/login-page.tsx'] }],
  ])
  expect(findHeavyPages(entry, [], larger)).toEqual(['first page: 420.1 kB, limit 420 kB'])
})

test('a renamed part of the first page and a page without a script are errors', () => {
  const renamed = new Map([...scripts].filter(([name]) => name !== 'login.js'))
  expect(() => findHeavyPages(entry, [], renamed)).toThrow('/login-page.tsx is in no script of the build')
  expect(() => findHeavyPages(entry, ['/src/features/x/x-page.tsx'], scripts)).toThrow(
    'x-page.tsx is in no script',
  )
})
