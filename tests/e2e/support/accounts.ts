import { createHash } from 'node:crypto'
import { type SeededRole, seededRoles } from '@isotherm/contract/access/roles'

/** A demo account. It has the name of its role, except for the administrator (`admin`). */
export const toAccount = (role: SeededRole): string => (role === 'administrator' ? 'admin' : role)

export const DEMO_PASSWORD = 'isotherm-demo'

/** Hash that a client sends instead of the password. */
export const demoPasswordHash = createHash('sha256').update(DEMO_PASSWORD, 'utf8').digest('hex')

const isRole = (name: string): name is SeededRole => Object.hasOwn(seededRoles, name)

export const roles: readonly SeededRole[] = Object.keys(seededRoles).filter(isRole)
