import { expect, test } from 'vitest'
import { findHeavyPages } from '../../check-sizes.ts'

const scripts = new Map([
  ['entry.js', { kb: 200, imports: ['react.js'], modules: ['/src/main.tsx'] }],
  ['react.js', { kb: 100, imports: [], modules: ['react'] }],
  ['shell.js', { kb: 100, imports: ['react.js'], modules: ['/src/app/shell-layout.tsx'] }],
  ['tables.js', { kb: 150, imports: ['react.js'], modules: ['antd/table'] }],
  ['list.js', { kb: 70, imports: ['tables.js'], modules: ['/src/features/lists/list-page.tsx'] }],
  [
    'rooms.js',
    { kb: 60, imports: ['tables.js', 'shell.js'], modules: ['/src/features/rooms/rooms-page.tsx'] },
  ],
  ['zh.js', { kb: 11, imports: [], modules: ['/src/features/rooms/locales/pages.zh.ts'] }],
])
const pages = ['/src/features/lists/list-page.tsx', '/src/features/rooms/rooms-page.tsx']

test('a page is too large by what it loads besides the first page, with its texts, each script once', () => {
  expect(findHeavyPages('entry.js', pages, scripts)).toEqual([
    '/src/features/rooms/rooms-page.tsx: 221.0 kB, limit 220 kB',
  ])
})

test('the first page is too large by what all its parts load', () => {
  const texts = { kb: 20.1, imports: [], modules: ['/src/app/texts/zh.ts'] }
  const more = new Map([...scripts, ['texts-zh.js', texts]])
  expect(findHeavyPages('entry.js', [], more)).toEqual(['first page: 420.1 kB, limit 420 kB'])
})
