import type { EmitterKind } from '@isotherm/contract/network/emitters'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { listAbove } from '../../../platform/scope/scope.ts'
import { isWatering } from '../../irrigation/index.ts'
import { isOfConsumer } from '../loop/loop.pg.ts'

interface PlacedDevice {
  readonly id: number
  /** Path of its node. */
  readonly path: string
}

/** Paths of all ancestors of the given ones. */
const toAbove = (paths: readonly string[]): string[] => [...new Set(paths.flatMap(listAbove))]

/** Condition: the node is at, below or above one of the paths. */
const isRelated = (paths: readonly string[]) =>
  sql<SqlBool>`(${isBelow('node.path', paths)} or node.path = any(${toAbove(paths)}::text[]))`

/** A station, and whether it is a pump house for irrigation. */
interface PlacedStation extends PlacedDevice {
  readonly isWatering: boolean
}

/** Stations and valves of consumers in use at, below and above paths. */
export async function listLoopDevices(
  db: Database,
  paths: readonly string[],
): Promise<{ readonly stations: readonly PlacedStation[]; readonly valves: readonly PlacedDevice[] }> {
  const { rows } = await sql<PlacedStation & { kind: string }>`
    select device.id, device.kind, node.path, ${isWatering} as "isWatering" from device join node on node.id = device.node_id
    where device.retired_at is null and not node.is_test and ${isRelated(paths)}
      and (device.kind = 'station' or (device.kind = 'valve' and ${isOfConsumer}))`.execute(db)
  const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted)
  return { stations: of('station'), valves: of('valve') }
}

/** Recorded emitters at, below and above paths. */
export async function listEmittersOf(
  db: Database,
  paths: readonly string[],
): Promise<readonly { readonly path: string; readonly emitter: EmitterKind }[]> {
  const { rows } = await sql<{ path: string; emitter: EmitterKind }>`
    select node.path, node.emitter from node where node.emitter is not null and ${isRelated(paths)}`.execute(
    db,
  )
  return rows
}
