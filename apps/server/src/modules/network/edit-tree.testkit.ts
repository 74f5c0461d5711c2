import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeEach } from 'vitest'
import { guardNothing } from '../../platform/guard-places.ts'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import type { Caller } from '../../platform/http/call.ts'
import { createTestOperation } from '../../platform/operation/operation.testkit.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { createTestCore } from '../../testing/core.testkit.ts'
import type { NetworkService } from './answers/service.ts'
import { createSubdivisionEditor } from './attributes/edit-subdivisions.ts'
import { createZoneGisEditor } from './attributes/edit-zone-gis.ts'
import { createGroupEditor } from './edit/edit-groups.ts'
import { createProjectEditor } from './edit/edit-projects.ts'
import { createSubUserEditor } from './edit/edit-sub-users.ts'
import { expectSoundTrees } from './tree-check.testkit.ts'

/** All editors of a tree, as the handlers create them. */
export const createEditors = (db: Database, network: NetworkService) => ({
  projects: createProjectEditor(db),
  groups: createGroupEditor(db, guardNothing),
  subUsers: createSubUserEditor(db, network, guardNothing),
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

  /** Returns a function that lists the rows of the tree that were written since this call, as joined names. */
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

/** A signal of the database. */
interface Signal {
  readonly channel: string
  readonly payload: string | undefined
}

/**
 * A core with the sample tree, for all tests of one file: call it at the top of the file. `received` holds the signals
 * since the start of a test. After the last test the stored trees are checked and the core is closed.
 */
export async function startTreeEditing() {
  const core = await createTestCore()
  const received: Signal[] = []
  for (const channel of ['structure_changed', 'registry_changed'] as const)
    core.signals.listen(channel, (payload) => received.push({ channel, payload }))
  beforeEach(() => {
    received.length = 0
  })
  afterAll(async () => {
    await expectSoundTrees(core.db)
    await core.close()
  })
  return { core, editors: createEditors(core.db, core.network), tree: createTreeView(core.db), received }
}
