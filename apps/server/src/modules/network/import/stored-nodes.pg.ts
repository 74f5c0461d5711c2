import type { RegistryNode } from '@isotherm/contract/network/registry-file'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'
import type { PlacedNode } from './layout.ts'

/** Reads the stored tree of a company, by key. */
export async function readStoredNodes(
  db: Transaction<Tables>,
  companyId: number,
): Promise<ReadonlyMap<string, PlacedNode>> {
  const rows = await db
    .selectFrom('node')
    .leftJoin('node as parent', 'parent.id', 'node.parent_id')
    .leftJoin('subdivision', 'subdivision.node_id', 'node.id')
    .select([
      'node.id',
      'node.key',
      'node.parent_id as parentId',
      'parent.key as parent',
      'node.kind',
      'node.level',
      'node.name',
      sql<string | null>`node.uuid::text`.as('uuid'),
      'node.address',
      'node.path',
      'node.nestaddr',
      'node.sort_path as sortPath',
      'node.area_m2 as areaM2',
      'node.is_test as isTest',
      'node.description',
      'subdivision.stype',
    ])
    .where('node.company_id', '=', companyId)
    .execute()
  return new Map(
    rows.map(({ key, parent, kind, level, name, areaM2, isTest, description, stype, ...place }) => {
      const node: RegistryNode = {
        key,
        parent,
        kind,
        level,
        name,
        ...(areaM2 === null ? {} : { areaM2 }),
        ...(isTest ? { test: true } : {}),
        ...(description === '' ? {} : { description }),
        ...(stype === null ? {} : { stype }),
      }
      return [key, { node, ...place }] as const
    }),
  )
}
