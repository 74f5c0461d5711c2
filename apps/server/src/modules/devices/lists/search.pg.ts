import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { withinTime } from '../../../platform/postgres/statement-timeout.pg.ts'
import { type Findings, type FoundDevice, isInSearchScope, type SearchScope } from '../../network/index.ts'

/** Fewer signs than these say too little. */
const SHORTEST_START = 3
const SHORTEST_END = 4
/** So many of the devices that fit are looked at for those of the field before all of them are. */
const FIRST_LOOKED_AT = 400
/** Signs of serials, IMEIs and meter numbers, as the indexes hold them. */
const NUMBER = /^[a-z0-9_.-]{3,64}$/

const columns = [
  ['serial', 'serial'],
  ['imei', 'imei'],
  ['meter_no', 'meter'],
] as const

const likeStart = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`

/** Condition that a device stands in the field, or is granted by itself. */
function isDeviceInField(field: SearchScope): RawBuilder<boolean> {
  const isOnNode = isInSearchScope('node', field)
  if (field.kind === 'everything' || field.deviceIds.length === 0) return isOnNode
  return sql<boolean>`(${isOnNode} or device.id = any(${[...field.deviceIds]}::bigint[]))`
}

const FOUND = sql`device.id, device.serial, device.name, device.kind, device.node_id as "nodeId", node.path, node.level`

/** One of the numbers from its start, or reversed from its end. The expressions are those of the indexes. */
interface Reading {
  readonly match: FoundDevice['match']
  readonly expression: RawBuilder<string>
  readonly pattern: string
  readonly how: RawBuilder<string>
}

/** In the order of the number, so that it ends when there are enough. */
const selectBy = (
  { match, expression, pattern, how }: Reading,
  devices: RawBuilder<unknown>,
  condition: RawBuilder<boolean>,
  limit: number,
): RawBuilder<FoundDevice> => sql<FoundDevice>`(
  select ${FOUND}, ${match}::text as match, ${how} as how
  from ${devices} device join node on node.id = device.node_id
  where ${expression} like ${pattern} and device.retired_at is null and ${condition}
  order by ${expression} limit ${limit})`

function toReadings(wanted: string): readonly Reading[] {
  const reversed = [...wanted].reverse().join('')
  return columns.flatMap(([column, match]) => {
    const forward = sql<string>`lower(${sql.ref(`device.${column}`)}) collate "C"`
    const backward = sql<string>`reverse(lower(${sql.ref(`device.${column}`)})) collate "C"`
    const how = sql<string>`case when ${forward} = ${wanted} then 'exact' else 'start' end`
    const start = { match, expression: forward, pattern: likeStart(wanted), how }
    const end = { match, expression: backward, pattern: likeStart(reversed), how: sql<string>`'end'` }
    return [
      ...(wanted.length < SHORTEST_START ? [] : [start]),
      ...(wanted.length < SHORTEST_END ? [] : [end]),
    ]
  })
}

/** Devices by the indexes of the numbers, each reading by itself. */
async function findByIndexes(
  db: Database,
  field: SearchScope,
  wanted: string,
  limit: number,
): Promise<readonly FoundDevice[]> {
  const all = toReadings(wanted).map((reading) =>
    selectBy(reading, sql`device`, isDeviceInField(field), limit),
  )
  return (await sql<FoundDevice>`${sql.join(all, sql` union all `)}`.execute(db)).rows
}

/** The nodes of a small field, once for a statement that asks for them many times. */
const insideOf = (field: SearchScope): RawBuilder<unknown> =>
  field.kind === 'nodes'
    ? sql`inside as materialized (select unnest(${[...field.inside]}::bigint[]) as id), `
    : sql``

const isInsideField = (field: SearchScope): RawBuilder<boolean> =>
  field.kind === 'nodes'
    ? sql<boolean>`(device.node_id in (select id from inside) or device.id = any(${[...field.deviceIds]}::bigint[]))`
    : isDeviceInField(field)

/**
 * The same in a part of the tree: what stands elsewhere is passed by, and how much that is nobody knows. The first
 * of each reading are looked at, which is enough where they are all or hold enough of the field; undefined when not.
 */
async function findAmongFirst(
  db: Database,
  field: SearchScope,
  wanted: string,
  limit: number,
): Promise<readonly FoundDevice[] | undefined> {
  const readings = toReadings(wanted)
  const name = (index: number) => sql.id(`first${index}`)
  const firsts = readings.map(
    ({ expression, pattern }, index) => sql`${name(index)} as materialized (
      select * from device where ${expression} like ${pattern} and retired_at is null
      order by ${expression} limit ${FIRST_LOOKED_AT})`,
  )
  const selects = readings.map((reading, index) => {
    const hits = selectBy(reading, name(index), isInsideField(field), limit)
    return sql`select (select count(*) from ${name(index)}) as seen,
      (select coalesce(json_agg(hits), '[]') from ${hits} hits) as hits`
  })
  const { rows } = await sql<{ seen: number; hits: readonly FoundDevice[] }>`
    with ${insideOf(field)}${sql.join(firsts)} ${sql.join(selects, sql` union all `)}`.execute(db)
  const isWhole = rows.every(({ seen, hits }) => seen < FIRST_LOOKED_AT || hits.length >= limit)
  return isWhole ? rows.flatMap(({ hits }) => hits) : undefined
}

/** Devices on the nodes of the field, where these are few: of each what it bears is looked at. */
async function findOnNodes(
  db: Database,
  { inside, deviceIds }: Extract<SearchScope, { kind: 'nodes' }>,
  wanted: string,
  limit: number,
): Promise<readonly FoundDevice[]> {
  const devices = (condition: RawBuilder<unknown>) => sql`select * from device where ${condition}
    and retired_at is null and strpos(lower(concat_ws(' ', serial, imei, meter_no)), ${wanted}) > 0`
  const onNodes = devices(sql`node_id = any(${[...inside]}::bigint[])`)
  const granted = sql`union ${devices(sql`id = any(${[...deviceIds]}::bigint[])`)}`
  const numbers = columns.map(
    ([column, match], index) =>
      sql`(${index}::int, ${match}::text, lower(${sql.ref(`device.${column}`)}) collate "C")`,
  )
  const how = sql`case when number.value = ${wanted} then 'exact'
    when starts_with(number.value, ${wanted}) then 'start'
    when ${wanted.length >= SHORTEST_END} and right(number.value, ${wanted.length}) = ${wanted} then 'end' end`
  // A device stands here once for each of its numbers that fit.
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

/** Devices of the field whose serial, IMEI or meter number is, starts with or ends with a text, best first. */
export async function searchDevices(
  db: Database,
  field: SearchScope,
  text: string,
  { limit, limitMs }: { readonly limit: number; readonly limitMs: number },
): Promise<Findings<FoundDevice>> {
  const wanted = text.replace(/\s/g, '').toLowerCase()
  if (!NUMBER.test(wanted)) return { found: [], isCut: false }
  const rows = await withinTime(db, limitMs, async (bounded) => {
    if (field.kind === 'everything') return findByIndexes(bounded, field, wanted, limit)
    const few = await findAmongFirst(bounded, field, wanted, limit)
    if (few) return few
    return field.kind === 'nodes'
      ? findOnNodes(bounded, field, wanted, limit)
      : findByIndexes(bounded, field, wanted, limit)
  })
  if (!rows) return { found: [], isCut: true }
  const best = new Map<number, FoundDevice>()
  for (const how of ['exact', 'start', 'end'] as const) {
    for (const row of rows) if (row.how === how && !best.has(row.id)) best.set(row.id, row)
  }
  return { found: [...best.values()].slice(0, limit), isCut: false }
}
