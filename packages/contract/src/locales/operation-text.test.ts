import { expect, test } from 'vitest'
import type { Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints/all.ts'
import { listLoggedOperations, toOperationText } from './operation-text.ts'

test('an operation is named in both languages; an unknown one by its own name', () => {
  expect(toOperationText('zh', 'editUserEnableState')).toBe('启用或停用用户')
  expect(toOperationText('en', 'editUserEnableState')).toBe('Enable or disable user')
  expect(toOperationText('en', 'campaign')).toBe('Step of a campaign')
  expect(toOperationText('zh', 'removed-long-ago')).toBe('removed-long-ago')
})

test.each(['zh', 'en'] as const)('every call has a name of its own in %s', (language) => {
  const names = Object.keys(endpoints).map((name) => toOperationText(language, name))
  expect(Object.keys(endpoints).filter((name, place) => names[place] === name)).toEqual([])
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})

test('the operations of the log are the changes and the downloads, and those of the system itself', () => {
  const logged = Object.entries<Endpoint>(endpoints)
    .filter(
      ([, { effect, file, isPageContent }]) =>
        effect === 'changes' || (file === 'download' && !isPageContent),
    )
    .map(([name]) => name)
  expect(new Set(listLoggedOperations())).toEqual(
    new Set([
      ...logged,
      'campaign',
      'strategy',
      'connection-token',
      'irrigation',
      'registry-file',
      'log-retention',
      'valve-exercise',
    ]),
  )
})
