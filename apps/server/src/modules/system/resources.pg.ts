import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getResByTK } from '@isotherm/contract/endpoints/administration/resources'
import { sql } from 'kysely'
import type { Caller } from '../../platform/http/call.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { toOffset } from '../../platform/postgres/filter.pg.ts'
import { isDeviceInScope, isInScope } from '../../platform/scope/scope.pg.ts'
import { seesEverything } from '../../platform/scope/scope.ts'
import { toNodeKey } from '../network/index.ts'

type Resources = OutputOf<typeof getResByTK>
type Device = Resources['devices'][number]

interface NodeRow extends Omit<Resources['nodes'][number], 'id'> {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
}

/** The nodes and devices that the caller is granted, one page of each. */
export async function findGrants(
  db: Database,
  { accountId, scope }: Caller,
  { limiter }: InputOf<typeof getResByTK>,
): Promise<Omit<Resources, 'modules'>> {
  const page = sql`limit ${limiter.size} offset ${toOffset(limiter)}`
  const { rows: nodes } = await sql<NodeRow>`
    select node.id, node.uuid, node.address, node.name as label, node.level, node.nestaddr, node.version
    from account_node join node on node.id = account_node.node_id
    where account_node.account_id = ${accountId} and ${isInScope('node.path', scope)} order by node.company_id, node.sort_path ${page}`.execute(
    db,
  )
  const { rows: devices } = await sql<Device>`
    select device.id, device.serial, device.name, device.kind, node.nestaddr, device.version
    from account_device join device on device.id = account_device.device_id
    join node on node.id = device.node_id
    where account_device.account_id = ${accountId} and ${isDeviceInScope(scope)} order by device.serial ${page}`.execute(
    db,
  )
  const { rows: totals } = await sql<{ nodeTotal: number; deviceTotal: number }>`
    select
      (select count(*) from account_node join node on node.id = account_node.node_id
        where account_id = ${accountId} and ${isInScope('node.path', scope)}) as "nodeTotal",
      (select count(*) from account_device join device on device.id = account_device.device_id
        join node on node.id = device.node_id
        where account_id = ${accountId} and ${isDeviceInScope(scope)}) as "deviceTotal"`.execute(db)
  return {
    seesAll: seesEverything(scope),
    nodes: nodes.map(({ uuid, address, ...node }) => ({
      ...node,
      id: toNodeKey({ ...node, uuid, address }),
    })),
    nodeTotal: totals[0]?.nodeTotal ?? 0,
    devices,
    deviceTotal: totals[0]?.deviceTotal ?? 0,
  }
}
