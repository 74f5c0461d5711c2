import { sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'

/** Time zone of a campaign's company. */
export async function findTimeZone(db: Database, campaignId: number): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`
    select time_zone as "timeZone" from company join campaign on campaign.company_id = company.id
    where campaign.id = ${campaignId}`.execute(db)
  return rows[0]?.timeZone ?? 'UTC'
}

export async function findCompanyZone(db: Database, companyId: number): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`
    select time_zone as "timeZone" from company where id = ${companyId}`.execute(db)
  return rows[0]?.timeZone ?? 'UTC'
}
