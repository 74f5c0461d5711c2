import { expect, test } from 'vitest'
import { findSubUsers, loadProjects, loadSubUsers, type TreeSource, toCompanyChain } from './load-children.ts'
import { sampleTree, UUID_A, vauser } from './tree-samples.testkit.ts'

const refuse = () => Promise.reject(new Error('not asked for in this test'))
const nothing: TreeSource = {
  listProjects: refuse,
  listGroups: refuse,
  listSubUsers: refuse,
  listSubdivisions: refuse,
}
const area = sampleTree.nodes.get('5')
const company = sampleTree.nodes.get('2')
if (!area || !company) throw new Error('the sample lacks nodes')

test('projects are asked for in pages of 20 until their total is reached', async () => {
  const pages: number[] = []
  const nodes = await loadProjects({
    ...nothing,
    listProjects: async (page, size) => {
      pages.push(page)
      expect(size).toBe(20)
      const list = Array.from({ length: Math.min(20, 45 - (page - 1) * 20) }, (_, index) => {
        const id = (page - 1) * 20 + index + 1
        return { id, projectName: `集团${id}`, groupList: [] }
      })
      return { list, total: 45 }
    },
  })
  expect(pages).toEqual([1, 2, 3])
  expect(nodes).toHaveLength(45)
  expect(nodes[44]).toMatchObject({ key: '45', level: 1, parent: '-1', nestaddr: '集团45' })
})

test('a total that the pages never reach does not make the tree ask for ever', async () => {
  const nodes = await loadProjects({ ...nothing, listProjects: async () => ({ list: [], total: 45 }) })
  expect(nodes).toEqual([])
})

test('the sub-users of a company are asked for once, by whichever node of it needs them', async () => {
  const asked: string[] = []
  const source: TreeSource = {
    ...nothing,
    listSubUsers: async (chain) => {
      asked.push(chain)
      return [vauser(UUID_A, '1号楼', [])]
    },
  }
  const cache = new Map()
  await findSubUsers(source, cache, company)
  const nodes = await loadSubUsers(source, cache, area)
  expect(asked).toEqual(['1,2'])
  expect(toCompanyChain(area)).toBe('1,2')
  expect(nodes.map((node) => node.key)).toEqual([UUID_A])
})

test('a list that failed may be asked for again', async () => {
  let calls = 0
  const source: TreeSource = {
    ...nothing,
    listSubUsers: () => {
      calls += 1
      return calls === 1 ? Promise.reject(new Error('offline')) : Promise.resolve([])
    },
  }
  const cache = new Map()
  await expect(findSubUsers(source, cache, company)).rejects.toThrow('offline')
  await expect(findSubUsers(source, cache, company)).resolves.toEqual([])
})
