import { endpoints } from '@isotherm/contract/endpoints/all'
import { findSubtree, listSearchTexts, type Place, toPathEnd } from './company.ts'
import type { PlainSql } from './plain-sql.ts'
import type { Session } from './server-calls.ts'
import { type Compared, compare, type Times, time, toTimes } from './timing.ts'

const ALL_KINDS = ['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator'] as const

export interface SubtreeTimes extends Compared {
  readonly nodes: number
  readonly devices: number
  /** Times of reading the ids of all nodes below, in plain SQL. */
  readonly ids: Times
}

/** Times of the first page of all devices below a node with about 100,000 nodes, with the number of devices. */
export async function measureSubtree(session: Session, sql: PlainSql): Promise<SubtreeTimes> {
  const top = await findSubtree(sql, [2, 3, 4], 100_000)
  const limiter = { page: 1, size: 100 }
  const call = () =>
    session.call(endpoints.getDevsFromPrjTree, { nodes: [String(top.id)], kinds: [...ALL_KINDS], limiter })
  const range = [top.path, toPathEnd(top.path)]
  const within = 'node.path collate "C" >= $1 and node.path collate "C" < $2'
  const compared = await compare(
    Array.from({ length: 15 }, () => top),
    1,
    async () => (await call()).ms,
    () =>
      time(async () => {
        await sql.time(
          `select device.*, node.nestaddr from device join node on node.id = device.node_id
           where ${within} order by node.sort_path, device.serial limit 100`,
          range,
        )
        await sql.time(
          `select count(*) from device join node on node.id = device.node_id where ${within}`,
          range,
        )
      }),
  )
  const ids: number[] = []
  for (let turn = 0; turn < 10; turn += 1)
    ids.push(await sql.time(`select id from node where ${within}`, range))
  return { ...compared, nodes: top.nodes, devices: (await call()).data.total, ids: toTimes(ids) }
}

/** Times of searches. Accounts alternate: the whole company, a subtree, scattered buildings. */
export async function measureSearch(
  sessions: readonly Session[],
  sql: PlainSql,
): Promise<Compared & { readonly worst: readonly string[] }> {
  const texts = await listSearchTexts(sql)
  const queries = texts.flatMap((text) => sessions.map((session, index) => ({ session, text, index })))
  const slowest = new Map<string, number>()
  /** Plain SQL scans a million names, which is slow and always takes the same time; so each text is queried once. */
  const plain = new Map<string, number>()
  const compared = await compare(
    queries,
    3,
    async ({ session, text, index }) => {
      const { ms } = await session.call(endpoints.searchTree, { text, size: 30 })
      const name = `${text} (${index})`
      slowest.set(name, Math.min(ms, slowest.get(name) ?? ms))
      return ms
    },
    async ({ text }) => {
      const known = plain.get(text)
      if (known !== undefined) return known
      const ms = await sql.time(
        `select id, name, path from node where name like '%' || $1 || '%' order by sort_path limit 30`,
        [text],
      )
      plain.set(text, ms)
      return ms
    },
  )
  const worst = [...slowest].toSorted((left, right) => right[1] - left[1]).slice(0, 5)
  return { ...compared, worst: worst.map(([name, ms]) => `${name} ${ms.toFixed(0)}`) }
}

/** Times of the first data of the tree: the projects, then the nested groups of the first project. */
export async function measureFirstPage(session: Session, sql: PlainSql): Promise<Compared> {
  const projects = () =>
    session.call(endpoints.queryProjectList, { pageNo: 1, pageSize: 300, queryGroupListStatus: 0 })
  const { data } = await projects()
  const projectId = data.list[0]?.id ?? 0
  return compare(
    Array.from({ length: 30 }, () => projectId),
    1,
    async () =>
      (await projects()).ms +
      (await session.call(endpoints.getDevGroups, { projectId, devCountIsContainChildren: 0 })).ms,
    () =>
      time(async () => {
        await sql.time(`select id, name from node where kind = 'project' order by sort_path limit 300`)
        await sql.time(
          `select id, name, level, parent_id, description from node where kind = 'group' and path like $1
           order by sort_path`,
          [`/${projectId}/%`],
        )
      }),
  )
}

export interface MoveTimes extends Compared {
  readonly nodes: number
}

/** Times of moving an area or station of about 20,000 nodes to another parent and back, three times. */
export async function measureMove(session: Session, sql: PlainSql): Promise<MoveTimes> {
  const moved = await findSubtree(sql, [3, 4], 20_000)
  const homeId = Number(moved.path.split('/').at(-3))
  const { data: other } = await session.call(endpoints.addDevGroup, {
    parentId: moved.projectId,
    title: `并入公司${process.pid}`,
    level: 2,
  })
  const ours: number[] = []
  for (const parentId of [other.id, homeId, other.id, homeId, other.id, homeId]) {
    const version = await readVersion(session, moved)
    const { ms } = await session.call(endpoints.editDevGroup, { id: moved.id, version, parentId })
    ours.push(ms)
  }
  const plain: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    const values = [moved.path, toPathEnd(moved.path), `/${moved.projectId}/${other.id}/${moved.id}/`]
    plain.push(
      await sql.timeAndUndo(
        `update node set path = $3 || substr(path, length($1) + 1), sort_path = 'z' || sort_path,
           nestaddr = 'z' || nestaddr
         where path collate "C" >= $1 and path collate "C" < $2`,
        values,
      ),
    )
  }
  const { version } = other
  await session.call(endpoints.deleteDevGroups, { items: [{ id: other.id, version }] })
  return { ours: toTimes(ours), plain: toTimes(plain), nodes: moved.nodes }
}

/** Version of a group, read from the tree. */
async function readVersion(session: Session, { id, projectId }: Place): Promise<number> {
  const { data } = await session.call(endpoints.getDevGroups, { projectId })
  for (let left = [...data.groupList]; left.length > 0; ) {
    const found = left.find((group) => group.id === id)
    if (found) return found.version
    left = left.flatMap((group) => group.childrens)
  }
  throw new Error(`the group ${id} is gone`)
}
