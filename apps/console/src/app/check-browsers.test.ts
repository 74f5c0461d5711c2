import { expect, test } from 'vitest'
import { findTooNewFunctions, findTooNewStyles } from '../../browser-gaps.ts'
import { findInScript, findInStyles } from '../../check-browsers.ts'

const functions = findTooNewFunctions()
const styles = findTooNewStyles()

test.each([
  ['a static function', 'Object.groupBy(rows, toKey)', ['Object.groupBy']],
  ['a method', 'text.isWellFormed()', ['isWellFormed']],
  ['a static function of the browser', 'AbortSignal.any([a, b])', ['AbortSignal.any']],
  ['a method of the browser', 'list.moveBefore(a, b)', ['moveBefore']],
])('%s that an oldest browser lacks is found', (_, code, found) => {
  expect([...findInScript(code, functions)]).toEqual(found)
})

test.each([
  ['old functions', 'rows.flatMap(toItems).at(-1)'],
  ['functions that the console brings along', 'rows.toSorted().toReversed().with(0, 1)'],
  ['a name that is not called', 'const { groupBy } = Object; "Object.groupBy()"'],
])('%s are allowed', (_, code) => {
  expect([...findInScript(code, functions)]).toEqual([])
})

test.each([
  ['a function', 'i { color: color-mix(in srgb, red 20%, blue) }', ['color-mix()']],
  ['a selector', 'i:has(b) { color: red }', [':has']],
  ['a property', 'i { field-sizing: content }', ['field-sizing']],
  ['an at-rule', '@starting-style { i { opacity: 0 } }', ['@starting-style']],
])('%s of CSS that an oldest browser lacks is found', (_, css, found) => {
  expect([...findInStyles(css, styles)]).toEqual(found)
})

test('old and decorative CSS is allowed', () => {
  const css =
    '@container (width > 30em) { i:is(b, u) { inset: 0; text-wrap: balance; color: rgba(1, 2, 3, 0.4) } }'
  expect([...findInStyles(css, styles)]).toEqual([])
})
