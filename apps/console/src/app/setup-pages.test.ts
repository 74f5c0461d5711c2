import { expect, test } from 'vitest'
import { pagesOfStep } from '../features/dashboard/setup/setup-steps.ts'
import { findPage } from './pages.ts'

test('the checklist of a new installation leads only to pages that exist', () => {
  const missing = Object.values(pagesOfStep)
    .flat()
    .filter((path) => !findPage(path))
  expect(missing).toEqual([])
})
