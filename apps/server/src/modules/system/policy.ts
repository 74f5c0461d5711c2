import type { Permission } from '@isotherm/contract/access/permissions'
import { entitiesOfDevices, getOperations } from '@isotherm/contract/endpoints/administration/operations'
import { AppError } from '../../platform/app-error.ts'
import type { Caller } from '../../platform/http/call.ts'

/** Whether the caller is provider staff. The provider manages several companies. */
export const isOfProvider = ({ companyId }: Pick<Caller, 'companyId'>): boolean => companyId === undefined

/** Whether the caller may change data that all companies share: modules, role codes, companies. */
export const managesForAll = (caller: Pick<Caller, 'companyId' | 'permissions'>, page: Permission): boolean =>
  isOfProvider(caller) && caller.permissions.has(page)

/** Throws access.denied for staff of a company. */
export function requireProvider(caller: Pick<Caller, 'companyId'>): void {
  if (!isOfProvider(caller)) throw new AppError('access.denied')
}

/** Throws access.denied for the changes of an entity that pages of devices do not show, unless the caller may read the log. */
export function requireHistoryOf(caller: Pick<Caller, 'permissions'>, entity: string): void {
  const mayRead = getOperations.access.anyOf.some((permission) => caller.permissions.has(permission))
  if (!mayRead && !entitiesOfDevices.includes(entity)) throw new AppError('access.denied')
}
