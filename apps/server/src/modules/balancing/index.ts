export { createBalancingReferences } from './references.pg.ts'
