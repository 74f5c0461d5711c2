import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'

const columns = { serial: 'device.serial', imei: 'device.imei', 'meter-no': 'device.meter_no' } as const
const CACHED = 100_000

/** Finds devices in use of a company by what a file names them. Those outside of the scope are not found. */
export function createFindDevices(
  db: Database,
  { companyId, scope, by }: { companyId: number; scope: Scope; by: ReadingMapping['device']['by'] },
) {
  /** Id by name; 0 for a name without a device. */
  const known = new LRUCache<string, number>({ max: CACHED })
  const column = sql.ref(columns[by])
  return async (names: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const unknown = [...new Set(names)].filter((name) => !known.has(name))
    if (unknown.length > 0) {
      for (const name of unknown) known.set(name, 0)
      const { rows } = await sql<{ name: string; id: number }>`
        select ${column} as name, device.id from device join node on node.id = device.node_id
        where device.company_id = ${companyId} and ${column} = any(${unknown}::text[]) and device.retired_at is null
          and ${isDeviceInScope(scope)}`.execute(db)
      for (const { name, id } of rows) known.set(name, id)
    }
    return new Map(names.flatMap((name) => (known.get(name) ? [[name, known.get(name) ?? 0] as const] : [])))
  }
}
