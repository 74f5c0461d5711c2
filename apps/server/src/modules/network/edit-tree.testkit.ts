import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import type { Caller } from '../../platform/http/call.ts'
import { createTestOperation } from '../../platform/operation/operation.testkit.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { NetworkService } from './answers/service.ts'
import { createSubdivisionEditor } from './attributes/edit-subdivisions.ts'
import { createZoneGisEditor } from './attributes/edit-zone-gis.ts'
import { createGroupEditor } from './edit/edit-groups.ts'
import { createProjectEditor } from './edit/edit-projects.ts'
import { createSubUserEditor } from './edit/edit-sub-users.ts'

/** All editors of a tree, as the handlers create them. */
export const createEditors = (db: Database, network: NetworkService) => ({
  projects: createProjectEditor(db),
  groups: createGroupEditor(db),
  subUsers: createSubUserEditor(db, network),
  subdivisions: createSubdivisionEditor(db, network),
  zoneGis: createZoneGisEditor(db),
})

/** A call of a caller with all permissions, for everything unless a scope is given. */
export const callOf = (given: Partial<Caller> = {}) => ({
  ...createTestCall({ permissions: new Set(permissions), ...given }),
  operation: createTestOperation({ endpoint: 'edit' }),
})

/** Reads the stored tree. */
export const createTreeView = (db: Database) => ({
  async read(key: string) {
    const {
      id,
      version,
      name,
      path,
      company_id: companyId,
    } = await db.selectFrom('node').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    return { id, version, name, path, companyId }
  },

  async namesBelow(parentId: number) {
    const found = db.selectFrom('node').select('name').where('parent_id', '=', parentId).orderBy('sort_path')
    return (await found.execute()).map(({ name }) => name)
  },

  /** Rows of the tree written since, by their joined names. */
  async watchWrites(): Promise<() => Promise<string[]>> {
    const readRows = async () => {
      const { rows } = await sql<{ name: string; row: string }>`
        select nestaddr as name, xmin::text || ctid::text as row from node`.execute(db)
      return new Map(rows.map(({ name, row }) => [row, name]))
    }
    const before = await readRows()
    return async () =>
      [...(await readRows())].flatMap(([row, name]) => (before.has(row) ? [] : [name])).toSorted()
  },
})
