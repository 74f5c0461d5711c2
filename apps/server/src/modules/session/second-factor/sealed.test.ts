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
