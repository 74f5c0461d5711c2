export { createSystemReferences } from './references.pg.ts'
