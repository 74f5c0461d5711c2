import fc from 'fast-check'
import { expect, test } from 'vitest'
import { controlLists, parseControlUrl, toControlSearch } from './control-url.ts'

const ids = (maxLength: number) => fc.uniqueArray(fc.integer({ min: 1, max: 1e9 }), { maxLength })
const batch = fc.option(fc.stringMatching(/^[A-Z0-9]{1,26}$/), { nil: undefined })

test('the state of the control page is read back from the address as it was written', () => {
  const url = fc.record({
    deviceIds: ids(20),
    batch,
    list: fc.constantFrom(...controlLists),
    limits: fc.boolean(),
    page: fc.integer({ min: 1, max: 1e6 }),
  })
  fc.assert(
    fc.property(url, (state) => {
      expect(parseControlUrl(toControlSearch(state))).toEqual(state)
    }),
  )
})

test('a page in its default state has no parameters in the address', () => {
  expect(toControlSearch(parseControlUrl(new URLSearchParams())).toString()).toBe('')
})

test('an invalid page number falls back to the first page', () => {
  expect(parseControlUrl(new URLSearchParams('page=-3')).page).toBe(1)
})
