import { expect, test } from 'vitest'
import { toStorableJson } from './storable-json.ts'

test('texts and names are storable: without NUL and without half of a character', () => {
  const lone = '\ud842\ud842\udfb7\udfb7'
  expect(JSON.parse(toStorableJson({ 'a\u0000': ['b\u0000', { c: lone }], d: 1, e: null }))).toEqual({
    a: ['b', { c: '\ufffd\ud842\udfb7\ufffd' }],
    d: 1,
    e: null,
  })
})
