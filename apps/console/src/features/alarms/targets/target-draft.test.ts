import { expect, test } from 'vitest'
import { listFaults, newSecret, toTargetDraft } from './target-draft.ts'

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

test('a stored target keeps its secret if none is entered', () => {
  const whole = { ...draft, name: '值班', url: 'https://duty.example/hook', secret: '' }
  expect(listFaults(whole, false)).toEqual([])
  expect(listFaults(whole, true)).toEqual(['secret'])
})
