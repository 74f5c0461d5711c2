import { compareNames } from '@isotherm/kernel/chinese-numerals'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { END, positionOf } from './nodes/positions.ts'

interface StoredNode {
  readonly id: number
  readonly companyId: number
  readonly parentId: number | null
  readonly kind: string
  readonly level: number
  readonly name: string
  readonly uuid: string | null
  readonly address: string | null
  readonly path: string
  readonly pids: string
  readonly nestaddr: string
  readonly sortPath: string
}

const readAll = (db: Database) =>
  db
    .selectFrom('node')
    .select([
      'id',
      'company_id as companyId',
      'parent_id as parentId',
      'kind',
      'level',
      'name',
      'address',
      'path',
      'pids',
      'nestaddr',
      'sort_path as sortPath',
      sql<string | null>`uuid::text`.as('uuid'),
    ])
    .execute()

/** Computes the expected values of a node from its parent. */
function toExpected({ id, name, kind, address, uuid }: StoredNode, parent: StoredNode | undefined) {
  const isAddress = kind === 'address'
  return {
    path: `${parent?.path ?? '/'}${id}/`,
    pids: parent ? [parent.pids, parent.id].filter((part) => part !== '').join(',') : '',
    nestaddr: parent ? `${parent.nestaddr},${name}` : name,
    address: isAddress ? (parent?.address ? `${parent.address}-${name}` : name) : address,
    uuid: isAddress ? (parent?.uuid ?? null) : uuid,
  }
}

/**
 * Checks that every stored tree is consistent: the values of each node follow from its parent, siblings are in name order
 * at distinct positions, and tree_name contains exactly the names of the nodes.
 */
export async function expectSoundTrees(db: Database): Promise<void> {
  const nodes: readonly StoredNode[] = await readAll(db)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) {
    const parent = node.parentId === null ? undefined : byId.get(node.parentId)
    expect(node.parentId === null || parent !== undefined, node.nestaddr).toBe(true)
    const { path, pids, nestaddr, address, uuid } = node
    expect({ path, pids, nestaddr, address, uuid }).toEqual(toExpected(node, parent))
    expect(node.level).toBeGreaterThan(parent?.level ?? 0)
    expect(node.companyId).toBe(parent?.companyId ?? node.companyId)
    expect(node.sortPath).toBe(`${parent?.sortPath ?? ''}${positionOf(node.sortPath)}${END}`)
  }
  for (const siblings of Map.groupBy(nodes, (node) => `${node.companyId}:${node.parentId}`).values()) {
    const ordered = siblings.toSorted((left, right) => (left.sortPath < right.sortPath ? -1 : 1))
    const names = ordered.map(({ name }) => name)
    expect(names).toEqual(names.toSorted(compareNames))
    expect(new Set(ordered.map(({ sortPath }) => sortPath)).size).toBe(ordered.length)
  }
  const used = new Set(nodes.map(({ companyId, level, name }) => `${companyId} ${level} ${name}`))
  const listed = await db.selectFrom('tree_name').select(['company_id', 'level', 'name']).execute()
  expect(listed.map((row) => `${row.company_id} ${row.level} ${row.name}`).toSorted()).toEqual(
    [...used].toSorted(),
  )
}
