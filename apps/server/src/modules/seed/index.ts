export type { CompanyOrder } from './company.ts'
export { type SeededCompany, type SeedOrder, SeedRefused, seedCompany } from './seed-company.pg.ts'
export { toSubAccountNames } from './sub-accounts.pg.ts'
