import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { withStatementTimeout } from '../../../platform/postgres/statement-timeout.pg.ts'
import { type Findings, type FoundDevice, isInSearchScope, type SearchScope } from '../../network/index.ts'

/** Shorter texts match too many devices. */
const MIN_START_LENGTH = 3
const MIN_END_LENGTH = 4
/**
 * Number of matching devices that the quick search reads before it checks the search scope. If more match, and too few of
 * these are in scope, a slower search follows.
 */
const FIRST_READ = 400
/** The characters of serials, IMEIs and meter numbers, in lower case as the indexes hold them. */
const NUMBER = /^[a-z0-9_.-]{3,64}$/

const columns = [
  ['serial', 'serial'],
  ['imei', 'imei'],
  ['meter_no', 'meter'],
] as const

const likeStart = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`

/** Condition that a device is on a node of the search scope, or that the device itself is granted. */
function isDeviceInSearchScope(searchScope: SearchScope): RawBuilder<boolean> {
  const isOnNode = isInSearchScope('node', searchScope)
  if (searchScope.kind === 'everything' || searchScope.deviceIds.length === 0) return isOnNode
  return sql<boolean>`(${isOnNode} or device.id = any(${[...searchScope.deviceIds]}::bigint[]))`
}

const FOUND = sql`device.id, device.serial, device.name, device.kind, device.node_id as "nodeId", node.path, node.level`

/** A match of one number from its start, or from its end on the reversed number. Uses the index expressions. */
interface NumberMatch {
  readonly match: FoundDevice['match']
  readonly expression: RawBuilder<string>
  readonly pattern: string
  readonly how: RawBuilder<string>
}

/** Ordered by the number, so that the index scan stops at the limit. */
const selectBy = (
  { match, expression, pattern, how }: NumberMatch,
  devices: RawBuilder<unknown>,
  condition: RawBuilder<boolean>,
  limit: number,
): RawBuilder<FoundDevice> => sql<FoundDevice>`(
  select ${FOUND}, ${match}::text as match, ${how} as how
  from ${devices} device join node on node.id = device.node_id
  where ${expression} like ${pattern} and device.retired_at is null and ${condition}
  order by ${expression} limit ${limit})`

function toNumberMatches(searched: string): readonly NumberMatch[] {
  const reversed = [...searched].reverse().join('')
  return columns.flatMap(([column, match]) => {
    const forward = sql<string>`lower(${sql.ref(`device.${column}`)}) collate "C"`
    const backward = sql<string>`reverse(lower(${sql.ref(`device.${column}`)})) collate "C"`
    const how = sql<string>`case when ${forward} = ${searched} then 'exact' else 'start' end`
    const start = { match, expression: forward, pattern: likeStart(searched), how }
    const end = { match, expression: backward, pattern: likeStart(reversed), how: sql<string>`'end'` }
    return [
      ...(searched.length < MIN_START_LENGTH ? [] : [start]),
      ...(searched.length < MIN_END_LENGTH ? [] : [end]),
    ]
  })
}

/** Finds devices by the indexes of the numbers, one index scan for each match. */
async function findByIndexes(
  db: Database,
  searchScope: SearchScope,
  searched: string,
  limit: number,
): Promise<readonly FoundDevice[]> {
  const all = toNumberMatches(searched).map((numberMatch) =>
    selectBy(numberMatch, sql`device`, isDeviceInSearchScope(searchScope), limit),
  )
  return (await sql<FoundDevice>`${sql.join(all, sql` union all `)}`.execute(db)).rows
}

/** The nodes of a small search scope as one common table, for a statement that uses them several times. */
const toInsideTable = (searchScope: SearchScope): RawBuilder<unknown> =>
  searchScope.kind === 'nodes'
    ? sql`inside as materialized (select unnest(${[...searchScope.inside]}::bigint[]) as id), `
    : sql``

const isInsideSearchScope = (searchScope: SearchScope): RawBuilder<boolean> =>
  searchScope.kind === 'nodes'
    ? sql<boolean>`(device.node_id in (select id from inside) or device.id = any(${[...searchScope.deviceIds]}::bigint[]))`
    : isDeviceInSearchScope(searchScope)

/**
 * Finds devices within a part of the tree among the first hits of each match. Undefined when these hits are neither
 * all nor contain enough devices of the search scope: the number of hits outside the search scope is unknown.
 */
async function findAmongFirst(
  db: Database,
  searchScope: SearchScope,
  searched: string,
  limit: number,
): Promise<readonly FoundDevice[] | undefined> {
  const matches = toNumberMatches(searched)
  const name = (index: number) => sql.id(`first${index}`)
  const firsts = matches.map(
    ({ expression, pattern }, index) => sql`${name(index)} as materialized (
      select * from device where ${expression} like ${pattern} and retired_at is null
      order by ${expression} limit ${FIRST_READ})`,
  )
  const selects = matches.map((numberMatch, index) => {
    const hits = selectBy(numberMatch, name(index), isInsideSearchScope(searchScope), limit)
    return sql`select (select count(*) from ${name(index)}) as seen,
      (select coalesce(json_agg(hits), '[]') from ${hits} hits) as hits`
  })
  const { rows } = await sql<{ seen: number; hits: readonly FoundDevice[] }>`
    with ${toInsideTable(searchScope)}${sql.join(firsts)} ${sql.join(selects, sql` union all `)}`.execute(db)
  const isWhole = rows.every(({ seen, hits }) => seen < FIRST_READ || hits.length >= limit)
  return isWhole ? rows.flatMap(({ hits }) => hits) : undefined
}

/** Finds devices by reading every device on the nodes of a small search scope. */
async function findOnNodes(
  db: Database,
  { inside, deviceIds }: Extract<SearchScope, { kind: 'nodes' }>,
  searched: string,
  limit: number,
): Promise<readonly FoundDevice[]> {
  const devices = (condition: RawBuilder<unknown>) => sql`select * from device where ${condition}
    and retired_at is null and strpos(lower(concat_ws(' ', serial, imei, meter_no)), ${searched}) > 0`
  const onNodes = devices(sql`node_id = any(${[...inside]}::bigint[])`)
  const granted = sql`union ${devices(sql`id = any(${[...deviceIds]}::bigint[])`)}`
  const numbers = columns.map(
    ([column, match], index) =>
      sql`(${index}::int, ${match}::text, lower(${sql.ref(`device.${column}`)}) collate "C")`,
  )
  const how = sql`case when number.value = ${searched} then 'exact'
    when starts_with(number.value, ${searched}) then 'start'
    when ${searched.length >= MIN_END_LENGTH} and right(number.value, ${searched.length}) = ${searched} then 'end' end`
  // A device has one row for each of its numbers that match.
  const { rows } = await sql<FoundDevice>`
    select * from (
      select ${FOUND}, number.match, ${how} as how, number.place, number.value
      from (${onNodes} ${deviceIds.length > 0 ? granted : sql``}) device
      join node on node.id = device.node_id
      cross join lateral (values ${sql.join(numbers)}) number (place, match, value)) fitting
    where how is not null
    order by array_position(array['exact', 'start', 'end'], how), place,
      case when how = 'end' then reverse(value) else value end limit ${limit * columns.length}`.execute(db)
  return rows
}

/** Devices of the search scope whose serial, IMEI or meter number is, starts with or ends with a text, best first. */
export async function searchDevices(
  db: Database,
  searchScope: SearchScope,
  text: string,
  { limit, limitMs }: { readonly limit: number; readonly limitMs: number },
): Promise<Findings<FoundDevice>> {
  const searched = text.replace(/\s/g, '').toLowerCase()
  if (!NUMBER.test(searched)) return { found: [], isIncomplete: false }
  const rows = await withStatementTimeout(db, limitMs, async (bounded) => {
    if (searchScope.kind === 'everything') return findByIndexes(bounded, searchScope, searched, limit)
    const few = await findAmongFirst(bounded, searchScope, searched, limit)
    if (few) return few
    return searchScope.kind === 'nodes'
      ? findOnNodes(bounded, searchScope, searched, limit)
      : findByIndexes(bounded, searchScope, searched, limit)
  })
  if (!rows) return { found: [], isIncomplete: true }
  const best = new Map<number, FoundDevice>()
  for (const how of ['exact', 'start', 'end'] as const) {
    for (const row of rows) if (row.how === how && !best.has(row.id)) best.set(row.id, row)
  }
  return { found: [...best.values()].slice(0, limit), isIncomplete: false }
}
