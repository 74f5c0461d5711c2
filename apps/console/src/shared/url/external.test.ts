import { expect, test } from 'vitest'
import { isExternal } from './external.ts'

test.each(['http://a.cn/i.svg', 'https://a.cn/i.svg', 'HTTPS://A.CN', 'mailto:a@b.cn', 'tel:110'])(
  '§2 An icon is external if it starts with http, https, mailto or tel: %s',
  (icon) => expect(isExternal(icon)).toBe(true),
)

test.each([
  'pe-fmreal',
  'telescope',
  '/i.svg',
  '',
  'javascript:alert(1)',
  'data:image/png,',
  ' https://a.cn',
])('any other is not: %j', (icon) => expect(isExternal(icon)).toBe(false))
