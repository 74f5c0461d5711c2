import type { Permission } from '@isotherm/contract/access/permissions'
import { entitiesOfDevices, getOperations } from '@isotherm/contract/endpoints/administration/operations'
import { AppError } from '../../platform/app-error.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { Devices } from '../devices/index.ts'

/** Whether the caller is provider staff. The provider manages several companies. */
export const isOfProvider = ({ companyId }: Pick<Caller, 'companyId'>): boolean => companyId === undefined

/** Whether the caller may change data that all companies share: modules, role codes, companies. */
export const managesForAll = (caller: Pick<Caller, 'companyId' | 'permissions'>, page: Permission): boolean =>
  isOfProvider(caller) && caller.permissions.has(page)

/** Throws access.denied for staff of a company. */
export function requireProvider(caller: Pick<Caller, 'companyId'>): void {
  if (!isOfProvider(caller)) throw new AppError('access.denied')
}

/**
 * Throws access.denied unless the caller may read the log, or the entity is a device, or a configuration of a gateway that the caller may
 * read itself.
 */
export async function requireHistoryOf(
  devices: Pick<Devices, 'requireReadableConfig'>,
  caller: Caller,
  { entity, entityId }: { readonly entity: string; readonly entityId: string },
): Promise<void> {
  if (getOperations.access.anyOf.some((permission) => caller.permissions.has(permission))) return
  if (!entitiesOfDevices.includes(entity)) throw new AppError('access.denied')
  if (entity === 'gateway-config') await devices.requireReadableConfig(caller, entityId)
}
