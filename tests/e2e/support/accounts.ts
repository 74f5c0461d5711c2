import { createHash } from 'node:crypto'
import { type SeededRole, seededRoles } from '@isotherm/contract/access/roles'

/** A demo account, named as its role but for the administrator. */
export const toAccount = (role: SeededRole): string => (role === 'administrator' ? 'admin' : role)

export const DEMO_PASSWORD = 'isotherm-demo'

/** What a client sends instead of the password. */
export const demoPasswordHash = createHash('sha256').update(DEMO_PASSWORD, 'utf8').digest('hex')

const isRole = (name: string): name is SeededRole => Object.hasOwn(seededRoles, name)

export const roles: readonly SeededRole[] = Object.keys(seededRoles).filter(isRole)
