import type { Permission } from '@isotherm/contract/access/permissions'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { SessionAccess } from '../../session/index.ts'
import { type Watched, watchSessions } from './session-watch.ts'

const log = createLog({ logLevel: 'silent' })

function createBench() {
  const clock = createTestClock()
  const living = new Map<number, SessionAccess>()
  const queries: (readonly number[])[] = []
  const sent: [sessionId: number, isAlive: boolean][] = []
  let failing = false
  const connect = (sessionId: number | undefined): Watched => ({
    sessionId: () => sessionId,
    updateAccess: (id, access) => sent.push([id, access !== undefined]),
  })
  const connections = [connect(1), connect(1), connect(2), connect(undefined)]
  const session = {
    async findAccess(ids: readonly number[]) {
      queries.push(ids)
      if (failing) throw new Error('the database is unavailable')
      return living
    },
  }
  for (const id of [1, 2]) {
    living.set(id, { endsAt: clock.now() + 1_000_000, permissions: new Set(), scope: scopeOfEverything })
  }
  const watch = watchSessions(connections, session, clock, log)
  return {
    clock,
    living,
    queries,
    sent,
    watch,
    fail: (is: boolean) => {
      failing = is
    },
  }
}

test('every 30 s one query covers all connections, each session once', async () => {
  const { clock, living, queries, sent } = createBench()
  living.delete(2)
  clock.advance(29_999)
  expect(queries).toEqual([])
  clock.advance(1)
  await expect
    .poll(() => sent)
    .toEqual([
      [1, true],
      [1, true],
      [2, false],
    ])
  expect(queries).toEqual([[1, 2]])
  clock.advance(30_000)
  await expect.poll(() => queries).toHaveLength(2)
})

test('while the database is unavailable, connections keep their access and the query is retried', async () => {
  const { clock, queries, sent, fail, watch } = createBench()
  fail(true)
  await watch.check()
  expect(sent).toEqual([])
  clock.advance(30_000)
  await expect.poll(() => queries).toHaveLength(2)
  fail(false)
  await watch.check()
  expect(sent).toHaveLength(3)
})

test('an older answer never undoes a newer one: callers during a query wait for a query of their own', async () => {
  const answers: PromiseWithResolvers<ReadonlyMap<number, SessionAccess>>[] = []
  const session = {
    findAccess() {
      const answer = Promise.withResolvers<ReadonlyMap<number, SessionAccess>>()
      answers.push(answer)
      return answer.promise
    },
  }
  const paths: (string | undefined)[] = []
  const connection: Watched = {
    sessionId: () => 1,
    updateAccess: (_id, access) =>
      paths.push(access?.scope.kind === 'paths' ? access.scope.paths[0] : undefined),
  }
  const answer = (path: string) =>
    new Map([
      [1, { endsAt: 1, permissions: new Set<Permission>(), scope: { kind: 'paths', paths: [path] } }],
    ] as const)
  const watch = watchSessions([connection], session, createTestClock(), log)
  const first = watch.check()
  const meanwhile = [watch.check(), watch.check()]
  expect(answers).toHaveLength(1)
  answers[0]?.resolve(answer('/before/'))
  await first
  await expect.poll(() => answers).toHaveLength(2)
  answers[1]?.resolve(answer('/after/'))
  await Promise.all(meanwhile)
  expect(paths).toEqual(['/before/', '/after/'])
  expect(answers).toHaveLength(2)
})

test('no query runs after close', () => {
  const { clock, queries, watch } = createBench()
  watch.close()
  clock.advance(120_000)
  expect(queries).toEqual([])
})
