import { expect, test } from 'vitest'
import { pickLanguage } from './language.ts'

test.each([
  [null, ['en-US', 'zh-CN'], 'en'],
  [null, ['fr', 'zh-TW'], 'zh'],
  [null, ['fr'], 'zh'],
  [null, [], 'zh'],
  ['zh', ['en-US'], 'zh'],
  ['klingon', ['en-US'], 'en'],
] as const)('remembered %j and preferred %j give %s', (remembered, preferred, language) => {
  expect(pickLanguage(remembered, preferred)).toBe(language)
})
