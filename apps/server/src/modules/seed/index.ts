export { type SeededCompany, seedCompany } from './seed-company.pg.ts'
export { toSubAccountNames } from './sub-accounts.pg.ts'
