import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { AppError } from '../app-error.ts'
import { runAsCaller } from '../tasks/current-caller.ts'
import { textField, toConditions, withPatterns } from './filter.pg.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore({ registry: null })
})
afterAll(() => core.close())

test('a pattern of more than 200 characters is rejected in either field', () => {
  const fields = { name: textField(sql`node.name`) }
  const item = (pattern: { vrex?: string; vstd?: string }) => [
    { field: 'name', cond: 'regex' as const, ...pattern },
  ]
  const malformed = expect.objectContaining({ code: 'request.malformed' })
  for (const name of ['vrex', 'vstd']) {
    expect(() => toConditions(fields, item({ [name]: 'a'.repeat(201) }))).toThrow(malformed)
    expect(() => toConditions(fields, item({ [name]: 'a'.repeat(200) }))).not.toThrow()
  }
})

test('three queries with patterns run at once, the others wait; plain prefixes do not wait', async () => {
  const risky = [{ field: 'name', cond: 'regex' as const, vrex: '(a+)+$' }]
  const plain = [{ field: 'name', cond: 'regex' as const, vrex: '^12,' }]
  const mayEnd = Promise.withResolvers<void>()
  const areRunning = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const works = Array.from({ length: 8 }, (_, index) =>
    runAsCaller(`account ${index}`, () =>
      withPatterns(core.db, risky, async () => {
        running += 1
        most = Math.max(most, running)
        if (running === 3) areRunning.resolve()
        await mayEnd.promise
        running -= 1
      }),
    ),
  )
  await areRunning.promise
  expect(await withPatterns(core.db, plain, async () => 'at once')).toBe('at once')
  mayEnd.resolve()
  await Promise.all(works)
  expect(most).toBe(3)
})

test('many evil patterns of one account do not delay another, and are refused beyond eight', async () => {
  const risky = [{ field: 'name', cond: 'regex' as const, vrex: '(a+)+$' }]
  const mayEnd = Promise.withResolvers<void>()
  const evil = Array.from({ length: 90 }, () =>
    runAsCaller('evil', () => withPatterns(core.db, risky, () => mayEnd.promise)).then(
      () => 'answered',
      (error: unknown) => (error instanceof AppError ? error.code : 'failed'),
    ),
  )
  const colleague = runAsCaller('colleague', () => withPatterns(core.db, risky, async () => 'answered'))
  expect(await colleague).toBe('answered')
  mayEnd.resolve()
  const outcomes = await Promise.all(evil)
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(9)
  expect(outcomes.filter((outcome) => outcome === 'request.too-many')).toHaveLength(81)
})
