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
  { ISOTHERM_MQTT_SECRET: 'hush' },
  { password: { nested: 'hush' } },
  { tokens: ['hush'] },
])('%o is logged without its secret', (fields) => {
  const line = record((log) => log.info(fields, 'event'))
  expect(line).not.toContain('hush')
  expect(line).toContain('[secret]')
  expect(JSON.parse(line)).toHaveProperty('msg', 'event')
})

test('what is no secret stays', () => {
  const line = record((log) => log.info({ account: 'li', path: '/usrCloud/user/login' }, 'call'))
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    account: 'li',
    path: '/usrCloud/user/login',
    msg: 'call',
  })
})

test('a token with any signs stays hidden and the line stays JSON', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3 }), (secret) => {
      const line = redact(`${JSON.stringify({ a: 1, token: secret, b: 2 })}`)
      expect(JSON.parse(line)).toEqual({ a: 1, token: '[secret]', b: 2 })
    }),
  )
})
