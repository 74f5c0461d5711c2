import { expect, test } from 'vitest'
import { createSealer } from './sealed.ts'

const secret = Buffer.from('twenty bytes of key!')

test('only the same installation opens a sealed secret, and only for its owner', () => {
  const sealer = createSealer('the secret of this installation')
  const sealed = sealer.seal(secret, 7)
  expect(sealed.includes(secret)).toBe(false)
  expect(sealer.open(sealed, 7)).toEqual(secret)
  expect(sealer.open(sealed, 8)).toBeUndefined()
  expect(createSealer('the secret of another installation').open(sealed, 7)).toBeUndefined()
  expect(sealer.seal(secret, 7)).not.toEqual(sealed)
})

test('what an earlier version sealed opens still', () => {
  const sealed =
    '01f3e682dabae46942d47d24f5deda908d3dabcaa8b26d0d70f1aba3aa02e520f73eaab14883c9200a3f2e9cfb29c25f'
  const sealer = createSealer('the secret of this installation')
  expect(sealer.open(Buffer.from(sealed, 'hex'), 7)).toEqual(secret)
})

test('a shortened tag, which is easier to guess, opens nothing', () => {
  const sealer = createSealer('the secret of this installation')
  const sealed = sealer.seal(Buffer.alloc(0), 7)
  expect(sealer.open(sealed, 7)).toEqual(Buffer.alloc(0))
  expect(() => sealer.open(sealed.subarray(0, 12 + 4), 7)).toThrow('tag length')
})
