import { expect, test } from 'vitest'
import { findProofs } from './specification-page.ts'

test('titles that begin with a section are found, once for each section they name', () => {
  const text = `
    test('§2 §9 tags bar: 34px', () => {})
    test.each(rows)("§4 a session's end: %s", () => {})
    test('nothing of the specification', () => {})
    expect('a text with §3 in it')`
  expect(findProofs(text, 'a.test.ts')).toEqual([
    { section: 2, title: 'tags bar: 34px', file: 'a.test.ts' },
    { section: 9, title: 'tags bar: 34px', file: 'a.test.ts' },
    { section: 4, title: "a session's end: %s", file: 'a.test.ts' },
  ])
})
