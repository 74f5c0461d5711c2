import { type Kysely, sql } from 'kysely'

const presentNames = {
  leastFlowM3H: 'minFlowM3H',
  leastHeadKpa: 'minHeadKpa',
  mostHeadKpa: 'maxHeadKpa',
  mostUnanswered: 'maxUnansweredShare',
  mostHours: 'maxHours',
  leastImbalance: 'minImbalance',
  greatestImbalance: 'maxImbalance',
}
const presentLimits = { 'least-flow': 'min-flow', 'most-flow': 'max-flow' }

/** Old and new pieces of JSON text. Quotes within a JSON string are escaped, so that no piece matches there. */
const pieces: readonly (readonly [before: string, now: string])[] = [
  ...Object.entries(presentNames).map(([before, now]) => [`"${before}":`, `"${now}":`] as const),
  ...Object.entries(presentLimits).map(
    ([before, now]) => [`"limit": "${before}"`, `"limit": "${now}"`] as const,
  ),
]

const renamed = (column: string) =>
  pieces.reduce(
    (json, [before, now]) => sql`replace(${json}, ${sql.lit(before)}, ${sql.lit(now)})`,
    sql`${sql.ref(column)}::text`,
  )

/** Migration: gives minima and maxima in stored plans, results and strategies their present names. */
export async function renameMinMaxKeys<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    update campaign_round set format = 2, plan = ${renamed('plan')}::jsonb, indices = ${renamed('indices')}::jsonb,
      verification = ${renamed('verification')}::jsonb
    where format = 1`.execute(db)
  await sql`update strategy set plan = ${renamed('plan')}::jsonb where plan::text like '%"mostHours":%'`.execute(
    db,
  )
}
