import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  instantField,
  numberField,
  textField,
} from '../../../platform/postgres/filter.pg.ts'
import { devicePath, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { toNodeKey } from '../../network/index.ts'
import type { StoredDevice } from './device-query.ts'
import { findValveCurve } from './valve-curve.ts'

/** Condition on `device`: it is not retired. */
export const isInUse = sql<SqlBool>`device.retired_at is null`

/** Fields that queries of devicesIn can filter and order by. */
export const deviceFields: FilterFields = {
  id: numberField(sql`device.id`),
  imei: textField(sql`device.serial`),
  radioImei: textField(sql`device.imei`),
  meterNo: textField(sql`device.meter_no`),
  name: textField(sql`device.name`),
  kind: textField(sql`device.kind`),
  model: textField(sql`device.model`),
  description: textField(sql`device.description`),
  concentrator: textField(sql`concentrator.serial`),
  parentids: textField(sql`node.pids`),
  nestaddr: textField(sql`node.nestaddr`),
  level: numberField(sql`node.level`),
  periodS: numberField(sql`device.period_s`),
  minPct: numberField(sql`device.min_opening_pct`),
  maxPct: numberField(sql`device.max_opening_pct`),
  use: textField(sql`case when ${isInUse} then 'in-use' else 'retired' end`),
  retiredAt: instantField(sql`device.retired_at`),
  replacedBy: numberField(sql`device.replaced_by_id`),
}

/**
 * Condition that the scope covers a device's concentrator: others must not learn of it. The check runs per row: some
 * prefix of its path that ends with '/' is granted.
 */
const isConcentratorInScope = (scope: Scope) =>
  scope.kind === 'all'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`exists (
        select from (
          select ${devicePath} as path from device join node on node.id = device.node_id
          where device.id = concentrator.id) its, generate_series(1, length(its.path)) at
        where substr(its.path, at, 1) = '/' and left(its.path, at) = any(${[...scope.paths]}::text[]))`

/**
 * Devices that the scope covers, each joined with its node and, if the scope covers it, with its concentrator.
 * `isInside`: other conditions of the query already limit the devices to the scope.
 */
export const devicesIn = (db: Database | Transaction<Tables>, scope: Scope, isInside = false) =>
  db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .leftJoin('device as concentrator', (join) =>
      join.onRef('concentrator.id', '=', 'device.concentrator_id').on(isConcentratorInScope(scope)),
    )
    .$if(!isInside, (query) => query.where(isDeviceInScope(scope)))

export const selectDevices = (query: ReturnType<typeof devicesIn>) =>
  query.select([
    'device.id',
    'device.kind',
    'device.name',
    'device.model',
    'device.description',
    'device.serial as imei',
    'device.imei as radioImei',
    'device.meter_no as meterNo',
    'device.period_s as periodS',
    'device.version',
    'concentrator.id as concentratorId',
    'device.min_opening_pct as minPct',
    'device.max_opening_pct as maxPct',
    'device.characteristic',
    'device.last_open_set_pct as setPct',
    'device.last_open_set_at as setAt',
    'device.retired_at as retiredAt',
    'device.replaced_by_id as replacedBy',
    'node.id as nodeId',
    'node.address',
    'node.nestaddr',
    'concentrator.serial as concentrator',
    sql<string | null>`node.uuid::text`.as('uuid'),
  ])

type Row = Awaited<ReturnType<ReturnType<typeof selectDevices>['execute']>>[number]

/** The characteristic of a valve and the curve that follows from it. */
function toCurveFields(row: Row): Pick<StoredDevice, 'characteristic' | 'curve'> {
  const { characteristic } = row
  const curve = findValveCurve(row)
  return { ...(characteristic ? { characteristic } : {}), ...(curve ? { curve } : {}) }
}

export const toDevice = (row: Row): StoredDevice => ({
  id: row.id,
  imei: row.imei,
  ...(row.radioImei === null ? {} : { radioImei: row.radioImei }),
  ...(row.meterNo === null ? {} : { meterNo: row.meterNo }),
  kind: row.kind,
  name: row.name,
  model: row.model,
  node: toNodeKey({ id: row.nodeId, uuid: row.uuid, address: row.address }),
  nestaddr: row.nestaddr,
  ...(row.concentrator === null ? {} : { concentrator: row.concentrator }),
  ...(row.concentratorId === null ? {} : { concentratorId: row.concentratorId }),
  periodS: row.periodS,
  ...(row.minPct === null || row.maxPct === null
    ? {}
    : { limits: { minPct: row.minPct, maxPct: row.maxPct } }),
  ...toCurveFields(row),
  ...(row.setPct === null || row.setAt === null
    ? {}
    : { lastOpenSet: { openingPct: row.setPct, at: row.setAt.getTime() } }),
  description: row.description,
  use: row.retiredAt === null ? 'in-use' : 'retired',
  ...(row.retiredAt === null ? {} : { retiredAt: row.retiredAt.getTime() }),
  ...(row.replacedBy === null ? {} : { replacedBy: row.replacedBy }),
  version: row.version,
})

/** Devices by id, in no order. Checks no scope: the caller was just allowed to change these devices. */
export async function readDevices(
  transaction: Transaction<Tables>,
  ids: readonly number[],
): Promise<StoredDevice[]> {
  const found = devicesIn(transaction, scopeOfEverything)
  const rows = await selectDevices(
    found.where(sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`),
  ).execute()
  return rows.map(toDevice)
}
