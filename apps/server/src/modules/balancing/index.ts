export type { CampaignNews } from './news.ts'
export { createBalancingReferences } from './references.pg.ts'
