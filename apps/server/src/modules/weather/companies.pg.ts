import { sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { ROOT_PATH, toProjectIds } from '../../platform/scope/scope.ts'

/** A company with the mean position of its nodes, WGS-84; null if no node has a position. */
export interface CompanyPlace {
  readonly tenant: string
  readonly place: { readonly latitudeDeg: number; readonly longitudeDeg: number } | null
}

/**
 * The companies that the paths belong to, at most two: two already show that there is no common weather.
 */
export async function readCompanyPlaces(
  db: Database,
  paths: readonly string[],
): Promise<readonly CompanyPlace[]> {
  const projects = db
    .selectFrom('node')
    .select('company_id')
    .$if(!paths.includes(ROOT_PATH), (query) =>
      query.where(sql<boolean>`node.id = any(${toProjectIds(paths)}::int[])`),
    )
  const companies = await db
    .selectFrom('company')
    .select(['id', 'tenant'])
    .where('id', 'in', projects)
    .orderBy('id')
    .limit(2)
    .execute()
  return await Promise.all(
    companies.map(async ({ id, tenant }) => {
      const middle = await db
        .selectFrom('node_gis')
        .innerJoin('node', 'node.id', 'node_gis.node_id')
        .select(({ fn }) => [
          fn.avg<number | null>('latitude_deg').as('latitudeDeg'),
          fn.avg<number | null>('longitude_deg').as('longitudeDeg'),
        ])
        .where('node.company_id', '=', id)
        .executeTakeFirstOrThrow()
      const { latitudeDeg, longitudeDeg } = middle
      return {
        tenant,
        place: latitudeDeg === null || longitudeDeg === null ? null : { latitudeDeg, longitudeDeg },
      }
    }),
  )
}
