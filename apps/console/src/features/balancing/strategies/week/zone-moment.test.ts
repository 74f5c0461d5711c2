import { expect, test } from 'vitest'
import { toZoneMoment } from './zone-moment.ts'

test('an instant is told by the clocks of the company, wherever the viewer is', () => {
  const sixInShanghai = Date.UTC(2026, 10, 22, 22)
  expect(toZoneMoment(sixInShanghai, 'en', 'Asia/Shanghai')).toMatch(/^Mon.*23.*06:00$/)
  expect(toZoneMoment(sixInShanghai, 'zh', 'Asia/Shanghai')).toMatch(/23.*周一.*06:00$/)
  expect(toZoneMoment(sixInShanghai, 'en', 'America/New_York')).toMatch(/^Sun.*22.*17:00$/)
})
