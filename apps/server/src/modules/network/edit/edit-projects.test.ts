import { expect, test } from 'vitest'
import { createRegistry } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { callOf, startTreeEditing } from '../edit-tree.testkit.ts'

const { core, editors, tree } = await startTreeEditing()

const refusal = (code: string) => expect.objectContaining({ code })

test('an account that adds a project is granted it, and so are its parent accounts', async () => {
  const chief = await core.createAccount('chief', [], ['s1'])
  const clerk = await core.createAccount('clerk', [], ['s1'])
  await core.db.updateTable('account').set({ parent_id: chief }).where('id', '=', clerk).execute()
  const { companyId } = await core.db
    .selectFrom('account')
    .select('company_id as companyId')
    .where('id', '=', clerk)
    .executeTakeFirstOrThrow()
  const scope = { kind: 'paths', paths: [await core.pathOf('s1')] } as const
  const call = callOf({ accountId: clerk, companyId: companyId ?? 0, scope })
  const project = await editors.projects.add({ projectName: '二集团', description: '' }, call)
  expect(project.abilities).toEqual(['add', 'edit', 'remove'])
  const granted = await core.db
    .selectFrom('account_node')
    .select('account_id')
    .where('node_id', '=', project.id)
    .execute()
  expect(granted.map((row) => row.account_id).toSorted()).toEqual([chief, clerk].toSorted())
  await editors.projects.remove({ id: project.id, version: project.version }, callOf())
})

test('a caller of several companies must give the company of a new project', async () => {
  const nodes = [{ key: 'other', parent: null, kind: 'project', level: 1, name: '外集团' } as const]
  await importRegistry(core.db, { ...createRegistry('other'), devices: [], nodes })
  const answer = editors.projects.add({ projectName: '三集团', description: '' }, callOf())
  await expect(answer).rejects.toEqual(refusal('request.malformed'))
  const nowhere = editors.projects.add(
    { projectName: '三集团', description: '', companyId: 987654 },
    callOf(),
  )
  await expect(nowhere).rejects.toEqual(refusal('company.not-found'))
})

test('a project that is not empty is not removed', async () => {
  const { id, version } = await tree.read('p')
  await expect(editors.projects.remove({ id, version }, callOf())).rejects.toEqual(refusal('node.not-empty'))
})
