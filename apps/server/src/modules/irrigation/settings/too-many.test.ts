import { MAX_GROUPS, MAX_PROGRAMS, MAX_SOURCES } from '@isotherm/contract/irrigation'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sourceSettings, useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()

const toRefusal = (what: string, limit: number) => ({ code: 'irrigation.too-many', params: { what, limit } })

test('a company has a limited number of sources; they can be changed, and another added once one is removed', async () => {
  const { bench, source } = field
  await sql`
    insert into irrigation_source (node_id, settings, planned_ms)
    select node_id, settings, planned_ms from irrigation_source, generate_series(2, ${MAX_SOURCES - 1})
    where id = ${source.id}`.execute(bench.db)
  const add = () => bench.settings.setSource(bench.call(), { node: source.node, settings: sourceSettings })
  // Two at once: one of them is too many.
  const added = await Promise.allSettled([add(), add()])
  const refused = added.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject([toRefusal('irrigation-source', MAX_SOURCES)])
  const { id, version, node } = await field.now()
  await bench.settings.setSource(bench.call(), {
    id,
    version,
    node,
    settings: { ...sourceSettings, leadS: 5 },
  })
  expect(await field.now()).toMatchObject({ leadS: 5 })
  await bench.db.deleteFrom('irrigation_source').where('id', '!=', id).execute()
  await expect(add()).resolves.toMatchObject({ name: sourceSettings.name })
})

test('a source has a limited number of groups and programs', async () => {
  const { bench, source, groupIds } = field
  await sql`
    insert into irrigation_group (source_id, settings)
    select source_id, settings from irrigation_group, generate_series(3, ${MAX_GROUPS}) where id = ${groupIds[0]}`.execute(
    bench.db,
  )
  await expect(field.addGroup('三组', ['C1V1'])).rejects.toMatchObject(
    toRefusal('irrigation-group', MAX_GROUPS),
  )
  await field.addProgram()
  await sql`
    insert into irrigation_program (source_id, settings, account)
    select source_id, settings, account from irrigation_program, generate_series(2, ${MAX_PROGRAMS})
    where source_id = ${source.id}`.execute(bench.db)
  await expect(field.addProgram()).rejects.toMatchObject(toRefusal('irrigation-program', MAX_PROGRAMS))
})
