import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog, redact } from './log.ts'

function record(log: (logger: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  log(createLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) }))
  return lines.join('')
}

test.each([
  { token: 'hush' },
  { body: { username: 'li', password: 'hush' } },
  { headers: { authorization: 'Bearer hush' } },
  { headers: { cookie: 'a=hush' } },
  { err: new Error('connect to postgres://isotherm:hush@db:5432/x failed') },
  { err: new Error('sent Authorization: Bearer hush') },
  { url: '/usrCloud/user/refreshToken?token=hush&x=1' },
  { err: new Error('posting to https://robot.example/send?a=1&access_token=hush failed') },
  { url: 'https://robot.example/send?key=hush' },
  { ISOTHERM_MQTT_SECRET: 'hush' },
  { password: { nested: 'hush' } },
  { tokens: ['hush'] },
])('%o is logged without its secret', (fields) => {
  const line = record((log) => log.info(fields, 'event'))
  expect(line).not.toContain('hush')
  expect(line).toContain('[secret]')
  expect(JSON.parse(line)).toHaveProperty('msg', 'event')
})

test('a text without secrets is unchanged', () => {
  const line = record((log) => log.info({ account: 'li', path: '/usrCloud/user/login' }, 'call'))
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    account: 'li',
    path: '/usrCloud/user/login',
    msg: 'call',
  })
})

test('a token with any characters is hidden and the line stays valid JSON', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3 }), (secret) => {
      const line = redact(`${JSON.stringify({ a: 1, token: secret, b: 2 })}`)
      expect(JSON.parse(line)).toEqual({ a: 1, token: '[secret]', b: 2 })
    }),
  )
})

test.each([
  ['letters', (length: number) => 'x'.repeat(length)],
  ['schemes', (length: number) => 'ab://'.repeat(length / 5)],
  ['quotes', (length: number) => '"token'.repeat(length / 6)],
  ['parameters', (length: number) => '&token'.repeat(length / 6)],
])('long runs of %s cost time in proportion to their length', (_, toText) => {
  const timeOf = (length: number): number => {
    const text = toText(length)
    const times = [0, 1, 2].map(() => {
      // CPU time of this thread, independent of the load of the machine.
      const start = process.threadCpuUsage()
      redact(text)
      return process.threadCpuUsage(start).user / 1_000
    })
    return Math.min(...times)
  }
  // Quadratic time would take 256 times as long.
  expect(timeOf(320_000)).toBeLessThan(64 * Math.max(timeOf(20_000), 0.5))
})
