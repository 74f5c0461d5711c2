import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { referencePages } from './reference-pages.ts'

const folder = join(import.meta.dirname, '../docs/reference')

test.each(Object.entries(referencePages))(
  'docs/reference/%s agrees with the contract; if not, run npm run reference',
  (name, toPage) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(toPage())
  },
)

/** This page is written by other tests: packages/kernel/src/verification.testkit.ts. */
const MEASURED = 'verification.md'

test('docs/reference contains only generated pages', () => {
  expect(readdirSync(folder).toSorted()).toEqual([...Object.keys(referencePages), MEASURED].toSorted())
})
