import { expect, test } from 'vitest'
import { listFaults, SECRET_BYTES, toSecret, toTargetDraft } from './target-draft.ts'

const draft = toTargetDraft(undefined, 'a'.repeat(48))

test('a secret is its bytes in hex, and long enough to be taken', () => {
  const secret = toSecret(new Uint8Array(SECRET_BYTES).fill(10))
  expect(secret).toBe('0a'.repeat(24))
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

test('a stored one keeps its secret when none is given', () => {
  const whole = { ...draft, name: '值班', url: 'https://duty.example/hook', secret: '' }
  expect(listFaults(whole, false)).toEqual([])
  expect(listFaults(whole, true)).toEqual(['secret'])
})
