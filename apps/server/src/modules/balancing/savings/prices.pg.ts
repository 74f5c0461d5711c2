import type { EnergyPrices } from '@isotherm/contract/balancing/heat-saving'
import { sql, type Transaction } from 'kysely'
import { writeSetting } from '../../../platform/operation/write-setting.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { listAbove } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockNodeAt, toNodeKey } from '../../network/index.ts'
import type {} from './tables.ts'

/** A node at or above a station with the prices that people set there. */
export interface PricedNode extends EnergyPrices {
  readonly node: string
  readonly nodeName: string
  readonly path: string
  /** 0 if nobody set prices here. */
  readonly version: number
}

interface Row {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
  readonly name: string
  readonly path: string
  readonly yuanPerGj: number | null
  readonly yuanPerKwh: number | null
  readonly version: number | null
}

/** The nodes at and above a path, the highest first, with their own prices. */
export async function listPricedNodes(db: Database, path: string): Promise<readonly PricedNode[]> {
  const paths = [...listAbove(path), path]
  const { rows } = await sql<Row>`
    select node.id, node.uuid::text as uuid, node.address, node.name, node.path, price.version,
      price.yuan_per_gj as "yuanPerGj", price.yuan_per_kwh as "yuanPerKwh"
    from node left join energy_price price on price.node_id = node.id
    where node.path = any(${paths}::text[]) order by length(node.path)`.execute(db)
  return rows.map(({ name, path: at, yuanPerGj, yuanPerKwh, version, ...key }) => ({
    node: toNodeKey(key),
    nodeName: name,
    path: at,
    version: version ?? 0,
    ...(yuanPerGj === null ? {} : { yuanPerGj }),
    ...(yuanPerKwh === null ? {} : { yuanPerKwh }),
  }))
}

/** Each price from the nearest node that has one. `nodes`: the highest first. */
export function toPrices(nodes: readonly EnergyPrices[]): EnergyPrices {
  const [heat, power] = [
    nodes.findLast(({ yuanPerGj }) => yuanPerGj !== undefined)?.yuanPerGj,
    nodes.findLast(({ yuanPerKwh }) => yuanPerKwh !== undefined)?.yuanPerKwh,
  ]
  return {
    ...(heat === undefined ? {} : { yuanPerGj: heat }),
    ...(power === undefined ? {} : { yuanPerKwh: power }),
  }
}

/**
 * Replaces the prices of the node at a path, based on a version. Returns whether the node exists. Throws entity.stale.
 */
export async function setPrices(
  transaction: Transaction<Tables>,
  path: string,
  { yuanPerGj, yuanPerKwh, version }: EnergyPrices & { readonly version: number },
): Promise<boolean> {
  const node = await lockNodeAt(transaction, path)
  if (!node) return false
  const of = { table: 'node', id: node.id, column: 'node_id' } as const
  const values = { yuan_per_gj: yuanPerGj ?? null, yuan_per_kwh: yuanPerKwh ?? null }
  await writeSetting(transaction, { table: 'energy_price', entity: 'energy-price', of, version }, values)
  return true
}
