import { expect, test } from 'vitest'
import { formatMoment } from './instants.ts'

test('an instant is shown in the company’s time zone, independent of the viewer', () => {
  const sixInShanghai = Date.UTC(2026, 10, 22, 22)
  expect(formatMoment(sixInShanghai, 'en', 'Asia/Shanghai')).toMatch(/^Mon.*23.*06:00$/)
  expect(formatMoment(sixInShanghai, 'zh', 'Asia/Shanghai')).toMatch(/23.*周一.*06:00$/)
  expect(formatMoment(sixInShanghai, 'en', 'America/New_York')).toMatch(/^Sun.*22.*17:00$/)
})
