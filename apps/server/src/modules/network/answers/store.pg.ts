import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  textField,
  toConditions,
  toOffset,
  toTotal,
  withPatterns,
} from '../../../platform/postgres/filter.pg.ts'
import { isBelow, isVisible } from '../../../platform/scope/scope.pg.ts'
import { readRevisions } from '../../../platform/signals/revisions.pg.ts'
import type { NetworkStore, NodeIdentityRow, NodeName } from './store.ts'
import { listSubUsers, listSubUsersBelow } from './sub-users.pg.ts'

const subdivisionFields: FilterFields = {
  sid: textField(sql`node.id::text`),
  psids: textField(sql`node.pids`),
  stype: textField(sql`subdivision.stype`),
}

const groupColumns = [
  'id',
  'name',
  'level',
  'parent_id as parentId',
  'path',
  'kind',
  'description',
  'version',
] as const

const isGroup = <Row extends { readonly kind: string }>(
  row: Row,
): row is Row & { readonly kind: 'project' | 'group' } => row.kind === 'project' || row.kind === 'group'

export function createNetworkStore(db: Database): NetworkStore {
  async function findNamed(
    names: readonly NodeName[],
  ): Promise<readonly (NodeIdentityRow & { readonly path: string })[]> {
    const ids = names.flatMap((name) => (name.kind === 'group' ? [name.id] : []))
    const uuids = names.flatMap((name) => (name.kind === 'sub-user' ? [name.uuid] : []))
    const addresses = names.filter((name) => name.kind === 'address')
    const { rows } = await sql<NodeIdentityRow & { readonly path: string }>`
      select id, uuid::text, address, path from node where id = any(${ids}::bigint[]) and kind in ('project', 'group')
      union all select id, uuid::text, address, path from node where uuid = any(${uuids}::uuid[]) and kind = 'sub-user'
      union all select node.id, node.uuid::text, node.address, node.path from node
        join unnest(${addresses.map(({ uuid }) => uuid)}::uuid[], ${addresses.map(({ address }) => address)}::text[],
          ${addresses.map(({ depth }) => depth)}::int[]) asked (uuid, address, depth)
        on asked.uuid = node.uuid and asked.address = node.address
        where node.kind = 'address' and cardinality(string_to_array(node.address, '-')) = asked.depth
      union all select node.id, node.uuid::text, asked.address, node.path from node
        join unnest(${addresses.map(({ uuid }) => uuid)}::uuid[], ${addresses.map(({ address }) => address)}::text[],
          ${addresses.map(({ depth }) => depth)}::int[]) asked (uuid, address, depth) on asked.uuid = node.uuid
        where node.kind = 'sub-user' and node.is_test
          and cardinality(string_to_array(asked.address, '-')) = asked.depth
          and not exists (select from node own where own.uuid = asked.uuid and own.address = asked.address)`.execute(
      db,
    )
    return rows
  }

  return {
    async listProjects(scope, name, limiter) {
      const found = db
        .selectFrom('node')
        .where('kind', '=', 'project')
        .where(isVisible('path', scope))
        .$if(name !== undefined && name !== '', (query) =>
          query.where(sql<boolean>`strpos(name, ${name}) > 0`),
        )
      const rows = await found
        .select(groupColumns)
        .orderBy('company_id')
        .orderBy('sort_path')
        .limit(limiter.size)
        .offset(toOffset(limiter))
        .execute()
      const total = await toTotal(limiter, rows.length, async () => {
        const counted = await found
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        return counted.total
      })
      return { rows: rows.filter(isGroup), total }
    },

    async listGroups(projectId) {
      const path = `/${projectId}/`
      const rows = await db
        .selectFrom('node')
        .select(groupColumns)
        .where('kind', 'in', ['project', 'group'])
        .where(isBelow('path', [path]))
        .orderBy('company_id')
        .orderBy('sort_path')
        .execute()
      return rows.filter(isGroup)
    },

    readRevision: async () => (await readRevisions(db)).groups,

    listSubUsers: (scope, query) => listSubUsers(db, scope, query),
    listSubUsersBelow: (ids, limiter) => listSubUsersBelow(db, ids, limiter),

    listSubdivisions: (scope, { filter, limiter }) =>
      withPatterns(db, filter, async (bounded) => {
        const found = bounded
          .selectFrom('subdivision')
          .innerJoin('node', 'node.id', 'subdivision.node_id')
          .where(isVisible('node.path', scope))
          .where(toConditions(subdivisionFields, filter))
        const { total } = await found
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const rows = await found
          .select([
            'node.id as nodeId',
            'node.pids',
            'node.path',
            'node.kind',
            'subdivision.stype',
            'subdivision.version',
          ])
          .orderBy('node.company_id')
          .orderBy('node.sort_path')
          .limit(limiter.size)
          .offset(toOffset(limiter))
          .execute()
        return { rows, total }
      }),

    findNamed,

    async listProjectPaths(companyId) {
      const rows = await db
        .selectFrom('node')
        .select('path')
        .where('company_id', '=', companyId)
        .where('kind', '=', 'project')
        .execute()
      return rows.map(({ path }) => path)
    },

    findNodes: (scope, paths) =>
      db
        .selectFrom('node')
        .select(['id', sql<string | null>`uuid::text`.as('uuid'), 'address'])
        .where(sql<boolean>`path = any(${[...paths]}::text[])`)
        .where(isVisible('path', scope))
        .execute(),
  }
}
