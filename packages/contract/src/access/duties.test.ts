import { expect, test } from 'vitest'
import { dutyPages } from './duties.ts'
import { modules } from './permissions.ts'

test('each page of administration belongs to exactly one duty', () => {
  const pages: readonly string[] = Object.values(dutyPages).flat()
  expect(pages.toSorted()).toEqual([...modules.psys, ...modules.pusers].toSorted())
})
