import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { referencePages } from './reference-pages.ts'

const folder = join(import.meta.dirname, '../docs/reference')

test.each(Object.entries(referencePages))(
  'docs/reference/%s agrees with its source; if not, run npm run reference',
  (name, toPage) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(toPage())
  },
)

/** Pages that are not generated from the contract. */
const others = [
  // Written by tests: packages/kernel/src/verification.testkit.ts.
  'verification.md',
  // Points of standards that people answer; tools/security/asvs-page.test.ts checks what they name.
  'asvs.md',
  'mlps.md',
  'security-inventory.md',
  'capacity.md',
  'threat-model.md',
]

test('docs/reference contains only generated pages and known others', () => {
  expect(readdirSync(folder).toSorted()).toEqual([...Object.keys(referencePages), ...others].toSorted())
})
