import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { withinTime } from '../../platform/within-time.pg.ts'
import { type Findings, type FoundDevice, isInField, type SearchField } from '../network/index.ts'

/** Fewer signs than these say too little. */
const SHORTEST_START = 3
const SHORTEST_END = 4
/** Signs of serials, IMEIs and meter numbers, as the indexes hold them. */
const NUMBER = /^[a-z0-9_.-]{3,64}$/

const columns = [
  ['serial', 'serial'],
  ['imei', 'imei'],
  ['meter_no', 'meter'],
] as const

const likeStart = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Where devices are looked for: on the nodes where these are few, else by the indexes of the numbers. Of those on
 * the nodes only what contains the text anywhere is looked at more closely, in its three numbers from both ends.
 */
const devicesOf = (field: SearchField, wanted: string): RawBuilder<unknown> =>
  field.kind === 'nodes'
    ? sql`select * from device
        where (node_id = any(${[...field.inside]}::bigint[]) or id = any(${[...field.deviceIds]}::bigint[]))
          and strpos(lower(concat_ws(' ', serial, imei, meter_no)), ${wanted}) > 0`
    : sql`select * from device`

/** Condition that a device stands in the field, or is granted by itself. */
function isDeviceInField(field: SearchField): RawBuilder<boolean> {
  const isOnNode = isInField('node', field)
  if (field.kind === 'everything' || field.deviceIds.length === 0) return isOnNode
  return sql<boolean>`(${isOnNode} or device.id = any(${[...field.deviceIds]}::bigint[]))`
}

/** The expressions are those of the indexes in migrations.pg.ts. */
function selectBy(
  field: SearchField,
  expression: RawBuilder<string>,
  pattern: string,
  answer: { readonly match: FoundDevice['match']; readonly how: RawBuilder<string>; readonly limit: number },
): RawBuilder<FoundDevice> {
  return sql<FoundDevice>`(
    select device.id, device.serial, device.name, device.kind, device.node_id as "nodeId",
      node.path, node.level, ${answer.match}::text as match, ${answer.how} as how
    from placed device join node on node.id = device.node_id
    where ${expression} like ${pattern} and device.retired_at is null and ${isDeviceInField(field)}
    order by ${expression} limit ${answer.limit})`
}

/** Devices of the field whose serial, IMEI or meter number is, starts with or ends with a text, best first. */
export async function searchDevices(
  db: Database,
  field: SearchField,
  text: string,
  { limit, limitMs }: { readonly limit: number; readonly limitMs: number },
): Promise<Findings<FoundDevice>> {
  const wanted = text.replace(/\s/g, '').toLowerCase()
  if (!NUMBER.test(wanted)) return { found: [], isCut: false }
  const reversed = [...wanted].reverse().join('')
  const selects = columns.flatMap(([column, match]) => {
    const forward = sql<string>`lower(${sql.ref(`device.${column}`)}) collate "C"`
    const backward = sql<string>`reverse(lower(${sql.ref(`device.${column}`)})) collate "C"`
    const how = sql<string>`case when ${forward} = ${wanted} then 'exact' else 'start' end`
    const start =
      wanted.length < SHORTEST_START
        ? []
        : [selectBy(field, forward, likeStart(wanted), { match, how, limit })]
    const end =
      wanted.length < SHORTEST_END
        ? []
        : [selectBy(field, backward, likeStart(reversed), { match, how: sql<string>`'end'`, limit })]
    return [...start, ...end]
  })
  const kept = field.kind === 'nodes' ? sql`materialized` : sql`not materialized`
  const found = await withinTime(db, limitMs, (bounded) =>
    sql<FoundDevice>`with placed as ${kept} (${devicesOf(field, wanted)}) ${sql.join(selects, sql` union all `)}`.execute(
      bounded,
    ),
  )
  if (!found) return { found: [], isCut: true }
  const { rows } = found
  const best = new Map<number, FoundDevice>()
  for (const how of ['exact', 'start', 'end'] as const) {
    for (const row of rows) if (row.how === how && !best.has(row.id)) best.set(row.id, row)
  }
  return { found: [...best.values()].slice(0, limit), isCut: false }
}
