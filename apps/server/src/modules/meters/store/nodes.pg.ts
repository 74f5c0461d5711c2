import type { MeterLevel } from '@isotherm/contract/endpoints/monitoring/meters'
import { treeLevels } from '@isotherm/contract/tree'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { escapeLike } from '../../../platform/postgres/filter.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { toNodeKey } from '../../network/index.ts'

/** A node whose heat is counted. */
export interface HeatedNode {
  readonly key: string
  readonly path: string
  readonly name: string
  readonly nestaddr: string
  /** Own area, or the sum of the households' areas below. */
  readonly areaM2: number | undefined
}

interface NodeQuery {
  readonly paths: readonly string[]
  readonly level: MeterLevel
  /** Part of the address. */
  readonly text: string
}

const matching = (db: Database, { paths, level, text }: NodeQuery) => {
  const found = db
    .selectFrom('node')
    .where('node.level', '=', treeLevels[level])
    .where('node.is_test', '=', false)
    .where(isBelow('node.path', paths))
  const part = `%${escapeLike(text)}%`
  return text === '' ? found : found.where('node.nestaddr', 'ilike', part)
}

const areaBelow = sql<number | null>`coalesce(node.area_m2, (
  select sum(home.area_m2) from node home where home.level = ${treeLevels.household}
    and home.path >= node.path and home.path < (rtrim(node.path, '/') || '0') collate "C"))`

const columns = ['node.id', 'node.uuid', 'node.address', 'node.path', 'node.name', 'node.nestaddr'] as const

interface Row {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
  readonly path: string
  readonly name: string
  readonly nestaddr: string
  readonly area: number | null
}

const toHeated = ({ path, name, nestaddr, area, ...identity }: Row): HeatedNode => ({
  key: toNodeKey(identity),
  path,
  name,
  nestaddr,
  areaM2: area ?? undefined,
})

/** Nodes of a page in the order of the tree. */
export async function listHeated(
  db: Database,
  query: NodeQuery,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<readonly HeatedNode[]> {
  const rows = await matching(db, query)
    .select([...columns, areaBelow.as('area')])
    .orderBy('node.company_id')
    .orderBy('node.sort_path')
    .limit(size)
    .offset(offset)
    .execute()
  return rows.map(toHeated)
}

/** Nodes at paths, in the order of the paths. */
export async function getHeated(db: Database, paths: readonly string[]): Promise<readonly HeatedNode[]> {
  if (paths.length === 0) return []
  const rows = await db
    .selectFrom('node')
    .select([...columns, areaBelow.as('area')])
    .where('node.path', 'in', [...paths])
    .execute()
  const byPath = new Map(rows.map((row) => [row.path, toHeated(row)]))
  return paths.flatMap((path) => byPath.get(path) ?? [])
}

/** Paths of all matching nodes in the order of the tree. */
export async function listHeatedPaths(db: Database, query: NodeQuery): Promise<readonly string[]> {
  const rows = await matching(db, query)
    .select('node.path')
    .orderBy('node.company_id')
    .orderBy('node.sort_path')
    .execute()
  return rows.map(({ path }) => path)
}

export async function countHeated(db: Database, query: NodeQuery): Promise<number> {
  const [row] = await matching(db, query)
    .select((of) => of.fn.countAll<number>().as('total'))
    .execute()
  return row?.total ?? 0
}

/** Meters that were replaced, by the meter in use: the oldest first. */
export async function readReplacedMeters(db: Database): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await sql<{ id: number; current: number }>`
    with recursive line (id, current, depth) as (
      select old.id, old.replaced_by_id, 1 from device old
      join device current on current.id = old.replaced_by_id and current.replaced_by_id is null
      where old.kind = 'heat-meter'
      union all
      select older.id, line.current, line.depth + 1 from device older join line on older.replaced_by_id = line.id)
    select id, current from line order by current, depth desc`.execute(db)
  const lines = new Map<number, number[]>()
  for (const { id, current } of rows) lines.set(current, [...(lines.get(current) ?? []), id])
  return lines
}

/** Serial and name of meters, by id. */
export async function readMeterNames(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly serial: string; readonly name: string }>> {
  if (deviceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('device')
    .select(['id', 'serial', 'name'])
    .where('id', 'in', [...deviceIds])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
