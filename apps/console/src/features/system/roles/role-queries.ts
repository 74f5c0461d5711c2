import { getAllModulesP } from '@isotherm/contract/endpoints/administration/modules'
import { getRoleCodes } from '@isotherm/contract/endpoints/administration/role-codes'
import { getAllRolesP, type Role } from '@isotherm/contract/endpoints/administration/roles'
import { getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import { toMenuOrder } from '../modules/module-columns.tsx'

const toId = ({ id }: { readonly id: number }): number => id

export const toRoleKey = ({ id }: Role): string => String(id)

export async function loadRoles(signal: AbortSignal | undefined) {
  const datalist = await listAll((limiter) => call(getAllRolesP, { limiter }, { signal }), toId)
  return { datalist, total: datalist.length }
}

/** All modules in menu order, also disabled ones. */
export const modulesQuery = queryOptions({
  queryKey: ['modules', 'of-roles'],
  queryFn: async ({ signal }) =>
    toMenuOrder(await listAll((limiter) => call(getAllModulesP, { limiter }, { signal }), toId)),
})

export const codesQuery = queryOptions({
  queryKey: ['role-codes', 'of-roles'],
  queryFn: ({ signal }) =>
    listAll(
      (limiter) => call(getRoleCodes, { limiter }, { signal }),
      ({ code }) => code,
    ),
})

export const companiesQuery = queryOptions({
  queryKey: ['companies', 'of-roles'],
  queryFn: ({ signal }) => listAll((limiter) => call(getCompanies, { limiter }, { signal }), toId),
})
