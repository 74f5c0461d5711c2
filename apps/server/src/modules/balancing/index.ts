export { balancingMigrations } from './migrations.pg.ts'
export type { CampaignNews } from './news.ts'
export { createBalancingReferences } from './references.pg.ts'
