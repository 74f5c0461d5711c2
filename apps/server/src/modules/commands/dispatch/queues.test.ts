import type { CommandPriority } from '@isotherm/contract/command'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CommandsBench, startCommandsBench } from '../commands.testkit.ts'
import { claimDueCommands } from './queues.pg.ts'

const NOW = 1_000_000
const WINDOW = 32

let bench: CommandsBench

beforeAll(async () => {
  bench = await startCommandsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.empty())

interface Stored {
  /** Id of the batch; prefix of the ids of its commands. */
  readonly batch: string
  readonly priority: CommandPriority
  readonly commands: number
  readonly queues: number
  /** Unanswered commands of each queue; the others are due since `dueAt`. */
  readonly unanswered: number
  readonly dueAt: number
}

/** Stores commands, spread evenly over queues 1, 2, … */
async function store({ batch, priority, commands, queues, unanswered, dueAt }: Stored): Promise<void> {
  await sql`
    insert into command_batch (id, actor, reason, priority, state, created_ms, path)
    values (${batch}, 'x', '', ${priority}, 'running', 0, '/')`.execute(bench.db)
  await sql`
    insert into command (id, batch_id, device_id, lane_id, opening_pct, state, priority, rev, actor, reason,
      created_ms, updated_ms, expires_ms, deadline_ms, attempts, tried_ms, next_attempt_ms)
    select ${batch} || lpad(n::text, 6, '0'), ${batch}, ${bench.idOf('V1')}, 1 + n % ${queues}::integer, 50,
      case when is_tried then 'sent' else 'queued' end, ${priority},
      n + (select coalesce(max(rev), 0) + 1 from command), 'x', '', 0, 0, ${NOW + MINUTE_MS}::bigint, ${NOW + MINUTE_MS}::bigint,
      is_tried::integer, case when is_tried then ${NOW - 1}::bigint end,
      case when is_tried then ${NOW + 30_000}::bigint else ${dueAt}::bigint end
    from generate_series(0, ${commands}::integer - 1) n,
      lateral (select n / ${queues}::integer < ${unanswered}::integer as is_tried) tried`.execute(bench.db)
}

const claim = (queues = 64) =>
  claimDueCommands(bench.db, {
    worker: 'test',
    now: NOW,
    leaseUntil: NOW + 20_000,
    answerBy: NOW - 30_000,
    retryAfter: [30_000],
    queues,
    window: WINDOW,
    busy: [],
    awake: [],
  })

const countBy = (ids: readonly { readonly id: string }[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(ids, ({ id }) => id.slice(0, 1))).map(([batch, all]) => [
      batch,
      all?.length,
    ]),
  )

test('B15: due commands are found quickly among ten thousand commands in two thousand queues', async () => {
  const order = { priority: 'manual', commands: 10_000, queues: 2_000, unanswered: 4, dueAt: NOW } as const
  await store({ batch: 'A', ...order })
  await sql`analyze command`.execute(bench.db)
  const startedAt = performance.now()
  expect(await claim()).toHaveLength(64)
  expect(performance.now() - startedAt).toBeLessThan(1_500)
})

test('B16: an emergency does not wait for a lower priority, neither in its own queue nor in others', async () => {
  const order = {
    priority: 'schedule',
    commands: 80,
    queues: 2,
    unanswered: WINDOW,
    dueAt: NOW - 5_000,
  } as const
  await store({ batch: 'A', ...order })
  // The window of this priority is full.
  expect(await claim()).toEqual([])
  await store({ ...order, batch: 'C', commands: 300, queues: 100, unanswered: 0 })
  await store({ batch: 'E', priority: 'emergency', commands: 80, queues: 2, unanswered: 0, dueAt: NOW })
  expect(countBy(await claim(2))).toEqual({ E: 2 * WINDOW })
  // Emergencies have a window of their own of the same size.
  expect(countBy(await claim(100))).toEqual({ C: 98 * 3 })
})

test('B16: in a queue the higher priority is sent first, then the command that has waited longest', async () => {
  const order = { commands: 20, queues: 1, unanswered: 0 } as const
  await store({ ...order, batch: 'B', priority: 'balancing', dueAt: NOW - 9_000 })
  await store({ ...order, batch: 'N', priority: 'manual', dueAt: NOW - 1_000 })
  await store({ ...order, batch: 'M', priority: 'manual', commands: 5, dueAt: NOW - 5_000 })
  expect(countBy(await claim())).toEqual({ M: 5, N: 20, B: WINDOW - 25 })
})

test('after the clock was set back by an hour, commands and queues do not wait for it to come back', async () => {
  const hourLater = NOW + 60 * MINUTE_MS
  await store({ batch: 'A', priority: 'manual', commands: 3, queues: 1, unanswered: 0, dueAt: hourLater })
  await sql`update command set expires_ms = ${hourLater + MINUTE_MS}::bigint`.execute(bench.db)
  // Another replica had the queue before it was killed, and its last commands seem to be sent in an hour.
  await sql`insert into command_lane (id, worker, lease_until_ms) values (1, 'gone', ${hourLater}::bigint)`.execute(
    bench.db,
  )
  await sql`update command set tried_ms = ${hourLater}::bigint, attempts = 1 where id = 'A000000'`.execute(
    bench.db,
  )
  expect((await claim()).map(({ id }) => id).toSorted()).toEqual(['A000000', 'A000001', 'A000002'])
})

test('a command that waits for its next attempt is not claimed before', async () => {
  await store({
    batch: 'A',
    priority: 'manual',
    commands: 1,
    queues: 1,
    unanswered: 0,
    dueAt: NOW + MINUTE_MS,
  })
  expect(await claim()).toEqual([])
})
