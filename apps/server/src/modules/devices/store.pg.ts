import { sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { devicePath, isDeviceBelow, isDeviceInScope } from '../../platform/scope.pg.ts'
import type { Scope } from '../../platform/scope.ts'
import { toNodeKey } from '../network/index.ts'
import type { DirectoryEntry } from './directory.ts'
import type { DeviceQuery, DeviceStore, StoredDevice } from './store.ts'

export function createDeviceStore(db: Database): DeviceStore {
  const inScope = (scope: Scope) =>
    db
      .selectFrom('device')
      .innerJoin('node', 'node.id', 'device.node_id')
      .leftJoin('device as concentrator', 'concentrator.id', 'device.concentrator_id')
      .where(isDeviceInScope(scope))

  const matching = (scope: Scope, { paths, kinds }: DeviceQuery) =>
    inScope(scope)
      .where(isDeviceBelow(paths))
      .where(sql<boolean>`device.kind = any(${[...kinds]}::text[])`)

  const columns = [
    'device.id',
    'device.serial as imei',
    'device.kind',
    'device.name',
    'device.model',
    'device.period_s as periodS',
    'device.imei as radioImei',
    'device.meter_no as meterNo',
    'device.min_opening_pct as minPct',
    'device.max_opening_pct as maxPct',
    'node.id as nodeId',
    sql<string | null>`node.uuid::text`.as('uuid'),
    'node.address',
    'node.nestaddr',
    'concentrator.serial as concentrator',
  ] as const

  const selectRows = (query: ReturnType<typeof inScope>) => query.select(columns)
  type Row = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

  const toDevice = ({
    minPct,
    maxPct,
    concentrator,
    radioImei,
    meterNo,
    nodeId,
    uuid,
    address,
    ...rest
  }: Row): StoredDevice => ({
    ...rest,
    node: toNodeKey({ id: nodeId, uuid, address }),
    ...(radioImei === null ? {} : { radioImei }),
    ...(meterNo === null ? {} : { meterNo }),
    ...(concentrator === null ? {} : { concentrator }),
    ...(minPct === null || maxPct === null ? {} : { limits: { minPct, maxPct } }),
  })

  async function countMatching(scope: Scope, query: DeviceQuery): Promise<number> {
    const { total } = await matching(scope, query)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  const inTreeOrder = (scope: Scope, query: DeviceQuery) =>
    matching(scope, query)
      .orderBy('node.company_id')
      .orderBy('node.sort_path')
      .orderBy('device.serial')
      .limit(query.limiter.size)
      .offset((query.limiter.page - 1) * query.limiter.size)

  return {
    async list(scope, query) {
      const rows = await selectRows(inTreeOrder(scope, query)).execute()
      return { rows: rows.map(toDevice), total: await countMatching(scope, query) }
    },

    async listIds(scope, query) {
      const rows = await inTreeOrder(scope, query).select('device.id').execute()
      return { ids: rows.map(({ id }) => id), total: await countMatching(scope, query) }
    },

    async find(scope, ids) {
      const found = inScope(scope).where(sql<boolean>`device.id = any(${[...ids]}::bigint[])`)
      return (await selectRows(found).execute()).map(toDevice)
    },

    async count(scope, paths) {
      const { rows } = await sql<{ path: string; devices: number }>`
        select asked.path, count(device.id) as devices
        from unnest(${[...paths]}::text[]) asked (path)
        join node on node.path like asked.path || '%' 
        join device on device.node_id = node.id and ${isDeviceInScope(scope)}
        group by asked.path`.execute(db)
      return new Map(rows.map(({ path, devices }) => [path, devices]))
    },

    async findControllers(scope, nodeIds) {
      const rows = await inScope(scope)
        .where('device.kind', '=', 'station')
        .where(sql<boolean>`device.node_id = any(${[...nodeIds]}::bigint[])`)
        .select(['device.node_id as nodeId', 'device.id'])
        .orderBy('device.id', 'desc')
        .execute()
      // With two on one node the one that came first counts.
      return new Map(rows.map(({ nodeId, id }) => [nodeId, id]))
    },

    async readDirectory() {
      const rows = await db
        .selectFrom('device')
        .innerJoin('node', 'node.id', 'device.node_id')
        .innerJoin('company', 'company.id', 'device.company_id')
        .select([
          'device.id',
          'company.tenant',
          'device.serial',
          'device.kind',
          devicePath.as('path'),
          'device.concentrator_id as concentratorId',
          'device.period_s as periodS',
        ])
        .execute()
      return rows.map((row): DirectoryEntry => ({ ...row, concentratorId: row.concentratorId ?? undefined }))
    },
  }
}
