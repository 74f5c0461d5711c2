import { expect, test } from 'vitest'
import { listFaults, newSecret, toAddress, toShownAddress, toTargetDraft } from './target-draft.ts'

const draft = toTargetDraft(undefined, 'a'.repeat(48))

test('a new secret is 24 random bytes in hex, different each time, and long enough for the contract', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^[0-9a-f]{48}$/)
  expect(newSecret()).not.toBe(secret)
  expect(listFaults({ ...draft, secret }, true)).not.toContain('secret')
})

test('a new target needs a name, an address without an account and a secret', () => {
  expect(listFaults(draft, true)).toEqual(['name', 'url'])
  const whole = { ...draft, name: '值班', url: ' https://duty.example/hook ' }
  expect(listFaults(whole, true)).toEqual([])
  expect(listFaults({ ...whole, url: 'https://me:pw@duty.example/' }, true)).toEqual(['url'])
  expect(listFaults({ ...whole, url: 'ftp://duty.example/' }, true)).toEqual(['url'])
  expect(listFaults({ ...whole, secret: 'short' }, true)).toEqual(['secret'])
})

test('numbers and mail addresses are written as people write them', () => {
  const sms = {
    ...draft,
    name: '值班',
    channel: 'sms' as const,
    secret: '',
    url: '13800000000，+8613900000000 ',
  }
  expect(toAddress(sms)).toBe('sms:13800000000,+8613900000000')
  expect(listFaults(sms, true)).toEqual([])
  const mail = { ...sms, channel: 'mail' as const, url: 'a@heat.example; b@heat.example' }
  expect(toAddress(mail)).toBe('mailto:a@heat.example,b@heat.example')
  expect(listFaults({ ...mail, url: 'nobody' }, true)).toEqual(['url'])
  expect(toShownAddress({ channel: 'mail', url: toAddress(mail) })).toBe('a@heat.example, b@heat.example')
})

test('a robot may have a secret, WeCom has none; a duty has a weekday', () => {
  const robot = { ...draft, name: '群', url: 'https://robot.example/send?key=1', secret: '' }
  expect(listFaults({ ...robot, channel: 'dingtalk' }, true)).toEqual([])
  expect(listFaults({ ...robot, channel: 'wecom' }, true)).toEqual([])
  expect(listFaults({ ...robot, channel: 'wecom', secret: 'SEC1' }, true)).toEqual(['secret'])
  const duty = { hourFrom: 8, hourTo: 18, weekdays: [] }
  expect(listFaults({ ...robot, channel: 'wecom', duty }, true)).toEqual(['duty'])
})

test('a stored target keeps its secret if none is entered', () => {
  const whole = { ...draft, name: '值班', url: 'https://duty.example/hook', secret: '' }
  expect(listFaults(whole, false)).toEqual([])
  expect(listFaults(whole, true)).toEqual(['secret'])
})
