import { type Clock, systemClock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type Scope, toProjectIds } from '../../../platform/scope/scope.ts'
import { createHeldRead } from '../../../platform/tasks/held-read.ts'
import { type GroundOf, HOLD_MS } from './ground-folder.ts'

/** Reads the tenants of the companies that a scope touches. An answer is cached for HOLD_MS. */
export function createTenantReader(
  db: Database,
  clock: Pick<Clock, 'elapsed'> = systemClock,
): (scope: Scope) => Promise<GroundOf> {
  const readTenants = createHeldRead(
    async (projectIds: string) => {
      const ids = projectIds.split(',').map(Number)
      const companies = await db
        .selectFrom('company')
        .select('tenant')
        .where('id', 'in', (query) =>
          query.selectFrom('node').select('company_id').where('node.id', 'in', ids),
        )
        .execute()
      return companies.map(({ tenant }) => tenant)
    },
    HOLD_MS,
    clock,
  )
  return async (scope) => {
    if (scope.kind === 'all') return 'all'
    const ids = [...toProjectIds(scope.paths)]
    return ids.length === 0 ? [] : readTenants(ids.toSorted().join(','))
  }
}
