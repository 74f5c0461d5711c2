import { z } from 'zod'
import type { PlainSql } from './plain-sql.ts'

/** Tenant of the measured company; the database can contain others. */
export const TENANT = 'bench'
const ofCompany = `company_id = (select id from company where tenant = '${TENANT}')`

/** A tree node that the bench queries. */
export interface Place {
  readonly id: number
  readonly projectId: number
  readonly path: string
  /** Ids from the project down to this node, joined by commas: the `parentids` of its children. */
  readonly chain: string
}

const place = z.object({ id: z.coerce.number(), path: z.string() })

const toPlace = ({ id, path }: z.infer<typeof place>): Place => {
  const ids = path.split('/').filter(Boolean)
  return { id, path, projectId: Number(ids[0]), chain: ids.join(',') }
}

/** Exclusive upper bound of all paths below a path: in ASCII, '0' follows '/'. */
export const toPathEnd = (path: string): string => `${path.slice(0, -1)}0`

/** `count` nodes of a level, spread over the company. */
export async function spreadPlaces(sql: PlainSql, level: number, count: number): Promise<readonly Place[]> {
  const rows = await sql.rows(
    place,
    `select id, path from (
       select id, path, row_number() over (order by sort_path) as nr, count(*) over () as among from node
       where level = $1 and not is_test and ${ofCompany}) placed
     where nr % greatest(among / $2::int, 1) = 0 order by nr limit $2::int`,
    [level, count],
  )
  return rows.map(toPlace)
}

/** A node and the number of nodes below it. */
export interface Subtree extends Place {
  readonly nodes: number
}

/** The node on one of the levels with a number of nodes below it that is nearest to `nodes`. */
export async function findSubtree(sql: PlainSql, levels: readonly number[], nodes: number): Promise<Subtree> {
  const [row] = await sql.rows(
    place.extend({ nodes: z.coerce.number() }),
    `select top.id, top.path, count(*) as nodes
     from node top join node below on below.path collate "C" >= top.path
       and below.path collate "C" < rtrim(top.path, '/') || '0'
     where top.level = any($1::int[]) and top.${ofCompany} group by top.id, top.path order by abs(count(*) - $2::int) limit 1`,
    [[...levels], nodes],
  )
  if (!row) throw new Error('the generated company has no groups')
  return { ...toPlace(row), nodes: row.nodes }
}

export interface Totals {
  readonly nodes: number
  readonly devices: number
}

export async function countTotals(sql: PlainSql): Promise<Totals> {
  const [row] = await sql.rows(
    z.object({ nodes: z.coerce.number(), devices: z.coerce.number() }),
    'select (select count(*) from node) as nodes, (select count(*) from device) as devices',
  )
  return row ?? { nodes: 0, devices: 0 }
}

/** Search texts: names, parts of names, pinyin, parts of addresses, numbers of devices. */
export async function listSearchTexts(sql: PlainSql): Promise<readonly string[]> {
  const samples = await sql.rows(
    z.object({ area: z.string(), station: z.string(), serial: z.string(), imei: z.string() }),
    `select (select name from node where level = 5 and ${ofCompany} order by md5(id::text) limit 1) as area,
       (select name from node where level = 4 and ${ofCompany} order by md5(id::text) limit 1) as station,
       (select serial from device where kind = 'heat-meter' and ${ofCompany} offset 500 limit 1) as serial,
       (select imei from device where imei is not null and ${ofCompany} offset 50 limit 1) as imei`,
  )
  const { area = '', station = '', serial = '', imei = '' } = samples[0] ?? {}
  const names = [
    '楼',
    '花园',
    '翠湖',
    '5号楼',
    '三号楼',
    '2单元',
    '1502',
    '换热站',
    area,
    area.slice(0, 2),
    station,
  ]
  const letters = ['chjy', 'cuihu', 'yg', 'whl', 'jiayuan']
  const addresses = [`${area}5号楼`, `${area} 5-2-301`, '5-2-301', '阳光 3号楼', `${area.slice(0, 2)}2-1-502`]
  const numbers = [serial, serial.slice(-6), imei, imei.slice(0, 10)]
  return [...names, ...letters, ...addresses, ...numbers, '没有这个地方', 'zzzz']
}
