import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestCaller } from '../../../platform/http/call.testkit.ts'
import { openTestSystem, type TestSystem } from '../system.testkit.ts'
import { toLogConditions } from './log-conditions.pg.ts'
import { findLogView } from './log-visible.pg.ts'
import { toSearchStep } from './operation-log.pg.ts'
import { findTouching } from './touched.pg.ts'

const ROWS = 200_000
/** Rows of one statement, with a time limit of 20 s for busy machines. */
const PART = 20_000
const YEAR_MS = 365 * DAY_MS

let fixture: TestSystem
/** End of the log, Unix ms. */
let end: number

beforeAll(async () => {
  fixture = await openTestSystem()
  end = fixture.clock.now()
  // A year of changes of a company: every operation renames one of 10,000 nodes.
  for (let from = 1; from <= ROWS; from += PART) {
    await sql`
      with added as (
        insert into operation (at, account_id, account, company_id, endpoint, address, request_id, result, input)
        select to_timestamp(${(end - YEAR_MS) / 1000}::float8 + nr * ${YEAR_MS / 1000 / ROWS}::float8),
          nr % 200, 'account' || nr % 200, 1, 'endpoint' || nr % 40, '10.0.0.1', 'r',
          case when nr % 100 = 0 then 'access.denied' else 'ok' end, jsonb_build_object('name', 'n' || nr)
        from generate_series(${from}::int, ${from + PART - 1}::int) nr returning id)
      insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
      select id, 'node', (id % 10000)::text, 2, 'changed', '/1/' || id % 10 || '/' || id % 10000 || '/',
        '{"name":"a"}', '{"name":"b"}' from added`.execute(fixture.db)
  }
  await sql`analyze operation, operation_change`.execute(fixture.db)
}, 300_000)
afterAll(() => fixture.close())

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string | undefined
  readonly Plans?: readonly Plan[] | undefined
}

const plan: z.ZodType<Plan> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  get Plans() {
    return z.array(plan).optional()
  },
})
const explained = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: plan })) })

const listNodes = (node: Plan): readonly Plan[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]

const hour = () => ({ from: end - HOUR_MS, to: end })
const year = () => ({ from: end - YEAR_MS, to: end })
const staff = createTestCaller({ companyId: 1, scope: { kind: 'paths', paths: ['/1/3/'] } })
const keeper = createTestCaller({ companyId: 1, scope: { kind: 'paths', paths: ['/1/3/4713/'] } })
const whole = createTestCaller()

test.each([
  ['the last hour', whole, hour, {}],
  ['an account over a year', whole, year, { account: 'account7' }],
  ['an endpoint over a year', whole, year, { endpoint: 'endpoint7' }],
  ['an entity over a year', whole, year, { entity: 'node', entityId: '4711' }],
  ['the last hour of a part', staff, hour, {}],
  ['a part over a year', staff, year, {}],
  ['a building over a year', keeper, year, {}],
  ['a text in the last hour', whole, hour, { text: 'n199' }],
  ['a text over a year', whole, year, { text: 'n199' }],
  ['a text over a year of a part', staff, year, { text: 'n199' }],
])(
  '%s is found by indexes, without reading the log from end to end',
  async (_what, caller, toRange, query) => {
    const { db } = fixture
    const view = await findLogView(db, caller)
    const requested = { filter: [], limiter: { page: 1, size: 100 }, ...query }
    const step = toSearchStep(toRange(), await toLogConditions(db, requested, view, undefined), 10_001)
    const { rows } = await sql`explain (format json) ${step}`.execute(db)
    const [answer] = z.array(explained).parse(rows)
    const nodes = listNodes(answer?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': 'none' })
    const scans = nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'])
    expect(scans).toEqual([])
    expect(nodes.some((node) => /Index/.test(node['Node Type']))).toBe(true)
  },
)

test.each([
  ['/1/', undefined],
  ['/1/3/4713/', ROWS / 10_000],
])('operations that touched %s are named when they are few', async (path, count) => {
  const touching = await findTouching(fixture.db, [path])
  expect(touching?.length).toBe(count)
})

test('a search of a year answers with the newest entries in time', async () => {
  const { log } = fixture.system
  const query = { ...year(), filter: [], limiter: { page: 1, size: 100 } }
  const { datalist, total, hasMore } = await log.search(whole, query)
  expect([datalist.length, total, hasMore]).toEqual([100, 10_000, true])
})
