import { permissions } from '@isotherm/contract/permissions'
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

/** Everything that edits a tree, as the handlers have it. */
export const createEditors = (db: Database, network: NetworkService) => ({
  projects: createProjectEditor(db),
  groups: createGroupEditor(db),
  subUsers: createSubUserEditor(db, network),
  subdivisions: createSubdivisionEditor(db, network),
  zoneGis: createZoneGisEditor(db),
})

/** A call of somebody who may do everything, everywhere unless a scope is given. */
export const callOf = (given: Partial<Caller> = {}) => ({
  ...createTestCall({ permissions: new Set(permissions), ...given }),
  operation: createTestOperation({ endpoint: 'edit' }),
})

/** Looks at a tree as it is stored. */
export const createTreeView = (db: Database) => ({
  async keep(key: string) {
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

  /** Which rows of the tree were written since, by their names from the top. */
  async watchWrites(): Promise<() => Promise<string[]>> {
    const read = async () => {
      const { rows } = await sql<{ name: string; row: string }>`
        select nestaddr as name, xmin::text || ctid::text as row from node`.execute(db)
      return new Map(rows.map(({ name, row }) => [row, name]))
    }
    const before = await read()
    return async () =>
      [...(await read())].flatMap(([row, name]) => (before.has(row) ? [] : [name])).toSorted()
  },
})
