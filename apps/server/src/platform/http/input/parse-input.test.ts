import { toErrorText } from '@isotherm/contract/locales/error-text'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../app-error.ts'
import { parseInput } from './parse-input.ts'

const schema = z.strictObject({
  name: z.string().min(1).max(4),
  periodS: z.number().int().min(60).max(3_600),
  imei: z
    .string()
    .regex(/^\d{15}$/)
    .optional(),
  kinds: z
    .array(z.enum(['valve', 'meter']))
    .min(1)
    .optional(),
  hold: z.object({ until: z.number().positive() }).optional(),
})
const good = { name: '阀', periodS: 60 }

function refuse(raw: unknown): AppError {
  try {
    parseInput(schema, raw)
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('it was accepted')
}

test.each([
  [undefined, '名称：缺少', 'name: is missing'],
  [{ ...good, name: 5 }, '名称：应为文字', 'name: must be a text'],
  [{ ...good, name: '' }, '名称：长度至少为 1', 'name: must have at least 1 characters'],
  [{ ...good, name: '调节阀一号' }, '名称：长度最多为 4', 'name: must have at most 4 characters'],
  [{ ...good, periodS: 5 }, '上报周期：不能小于 60', 'periodS: must be at least 60'],
  [{ ...good, periodS: 9_999 }, '上报周期：不能大于 3600', 'periodS: must be at most 3600'],
  [{ ...good, periodS: '60' }, '上报周期：应为数字', 'periodS: must be a number'],
  [{ ...good, imei: '12' }, 'IMEI：格式不正确', 'imei: has the wrong format'],
  [{ ...good, kinds: ['pump'] }, '类型：不是允许的值', 'kinds.0: is not one of the allowed values'],
  [{ ...good, kinds: [] }, '类型：长度至少为 1', 'kinds: must have at least 1 items'],
  [{ ...good, hold: { until: 0 } }, 'hold.until：应大于 0', 'hold.until: must be more than 0'],
  [{ ...good, hold: 1 }, 'hold：应为对象', 'hold: must be an object'],
  [{ ...good, more: 1 }, 'body：含有未知的字段', 'body: has unknown fields'],
])('an input is refused in the language of the user: %j', (raw, zh, en) => {
  const { code, params } = refuse(raw)
  expect(toErrorText('zh', code, params)).toBe(`请求内容有误，请检查输入后重试（${zh}）`)
  expect(toErrorText('en', code, params)).toContain(`(${en})`)
})

test('a reason without a Chinese text is named as invalid, not shown in English', () => {
  expect(toErrorText('zh', 'request.malformed', { detail: 'name: something new' })).toContain(
    '（名称：内容无效）',
  )
})
