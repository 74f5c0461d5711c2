import { expect, test } from 'vitest'
import { toShownPage } from './to-shown-page.ts'

test('the last page of a list is shown when the chosen one is gone', () => {
  expect([toShownPage(2, 20, 20), toShownPage(2, 21, 20), toShownPage(2, 0, 20)]).toEqual([1, 2, 1])
})
