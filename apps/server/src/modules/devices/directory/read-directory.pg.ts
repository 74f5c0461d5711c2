import { deviceKind } from '@isotherm/contract/devices'
import { type SqlBool, sql } from 'kysely'
import type { Cell } from '../../../platform/cell/cell.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { devicePath } from '../../../platform/scope/scope.pg.ts'
import type { DirectoryEntry, DirectoryReader } from './directory.ts'

const DEVICES_PER_PAGE = 20_000

type Row = Omit<DirectoryEntry, 'concentratorId' | 'login'> & {
  readonly concentratorId: number | null
  readonly loginVersion: number
  readonly loginRevoked: boolean
  readonly certificatesFrom: Date | null
}

/**
 * Reads devices in use, of the companies that this server serves, for the directory. Checks no scope. A server for all
 * companies has no condition on them: PostgreSQL would expect a fraction of the rows.
 */
export function createDirectoryReader(db: Database, cell?: Cell): DirectoryReader {
  // Every row has its own copy of kind and tenant. Shared strings save most of the memory of a million entries.
  const kinds = new Map(deviceKind.options.map((kind) => [kind, kind]))
  const tenants = new Map<string, string>()

  function shareTenant(tenant: string): string {
    const known = tenants.get(tenant) ?? tenant
    tenants.set(known, known)
    return known
  }

  const toEntry = (row: Row): DirectoryEntry => ({
    id: row.id,
    tenant: shareTenant(row.tenant),
    serial: row.serial,
    kind: kinds.get(row.kind) ?? row.kind,
    path: row.path,
    concentratorId: row.concentratorId ?? undefined,
    periodS: row.periodS,
    ...(row.loginVersion > 0 || row.loginRevoked
      ? {
          login: {
            version: row.loginVersion,
            isRevoked: row.loginRevoked,
            certificatesFrom: row.certificatesFrom?.getTime(),
          },
        }
      : {}),
  })

  const devicesInUse = () =>
    db
      .selectFrom('device')
      .innerJoin('node', 'node.id', 'device.node_id')
      .innerJoin('company', 'company.id', 'device.company_id')
      .where('device.retired_at', 'is', null)
      .$if(cell !== undefined, (query) =>
        query.where(sql<SqlBool>`company.tenant = any(${[...(cell?.tenants ?? [])]}::text[])`),
      )
      .select([
        'device.id',
        'company.tenant',
        'device.serial',
        'device.kind',
        devicePath.as('path'),
        'device.concentrator_id as concentratorId',
        'device.period_s as periodS',
        'device.login_version as loginVersion',
        'device.login_revoked as loginRevoked',
        'device.certificates_from as certificatesFrom',
      ])

  return {
    async readPage(afterId) {
      const page = devicesInUse().where('device.id', '>', afterId).orderBy('device.id')
      return (await page.limit(DEVICES_PER_PAGE).execute()).map(toEntry)
    },

    async readDevices(ids) {
      const named = devicesInUse().where(sql<boolean>`device.id = any(${[...ids]}::bigint[])`)
      return (await named.execute()).map(toEntry)
    },

    async listBelow(path) {
      // A range instead of a pattern, so that the index on paths serves it: '0' follows '/'.
      const { rows } = await sql<{ id: number }>`
        select device.id from node join device on device.node_id = node.id
        where node.path >= ${path} and node.path < ${`${path.slice(0, -1)}0`}
          and device.retired_at is null`.execute(db)
      return rows.map(({ id }) => id)
    },
  }
}
