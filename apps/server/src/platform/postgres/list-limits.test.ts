import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { AppError } from '../app-error.ts'
import { runAsCaller } from '../tasks/current-caller.ts'
import { textField, toConditions } from './filter.pg.ts'
import { withListLimits } from './list-limits.pg.ts'

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
      withListLimits(core.db, risky, async () => {
        running += 1
        most = Math.max(most, running)
        if (running === 3) areRunning.resolve()
        await mayEnd.promise
        running -= 1
      }),
    ),
  )
  await areRunning.promise
  expect(await withListLimits(core.db, plain, async () => 'at once')).toBe('at once')
  mayEnd.resolve()
  await Promise.all(works)
  expect(most).toBe(3)
})

test('slow lists of one account leave connections for the others', async () => {
  const wide = [{ field: 'name', cond: 'like' as const, vstd: 'no row has this' }]
  const mayEnd = Promise.withResolvers<void>()
  let started = 0
  // As a list: the rows and their number at once.
  const slow = (db: TestCore['db']) =>
    Promise.all([1, 2].map(() => db.connection().execute(() => mayEnd.promise)))
  const many = Array.from({ length: 40 }, () =>
    runAsCaller('slow', () =>
      withListLimits(core.db, wide, (db) => {
        started += 1
        return slow(db)
      }),
    ),
  )
  await expect.poll(() => started).toBe(3)
  const colleague = () => withListLimits(core.db, wide, (db) => sql`select 1`.execute(db))
  expect((await runAsCaller('colleague', colleague)).rows).toHaveLength(1)
  expect(started).toBe(3)
  mayEnd.resolve()
  await Promise.all(many)
  expect(started).toBe(40)
})

test('many evil patterns of one account do not delay another, and are refused beyond eight', async () => {
  const risky = [{ field: 'name', cond: 'regex' as const, vrex: '(a+)+$' }]
  const mayEnd = Promise.withResolvers<void>()
  const evil = Array.from({ length: 90 }, () =>
    runAsCaller('evil', () => withListLimits(core.db, risky, () => mayEnd.promise)).then(
      () => 'answered',
      (error: unknown) => (error instanceof AppError ? error.code : 'failed'),
    ),
  )
  const colleague = runAsCaller('colleague', () => withListLimits(core.db, risky, async () => 'answered'))
  expect(await colleague).toBe('answered')
  mayEnd.resolve()
  const outcomes = await Promise.all(evil)
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(9)
  expect(outcomes.filter((outcome) => outcome === 'request.too-many')).toHaveLength(81)
})
