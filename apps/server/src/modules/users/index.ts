export { isManagedBy } from './managed.pg.ts'
export { createUsersReferences } from './references.pg.ts'
