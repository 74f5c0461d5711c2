import { getAllModules } from '@isotherm/contract/endpoints/administration/modules'
import { getAllRolesP, type Role } from '@isotherm/contract/endpoints/administration/roles'
import { getVerification } from '@isotherm/contract/endpoints/administration/user-access'
import { getUsers, type User } from '@isotherm/contract/endpoints/administration/users'
import {
  type Company,
  getCompanies,
  getOrgans,
  type Organisation,
} from '@isotherm/contract/endpoints/network/organisations'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { listAll } from '../../shared/api/list-all.ts'
import type { Records } from '../../shared/records/record-list.tsx'
import type { UserType } from './user-views.ts'

const toId = ({ id }: { readonly id: number }): number => id

/** All users of a kind that the caller can see, by account name (specification, section 3: account list query). */
export async function loadUsers(
  usrUserType: UserType,
  signal: AbortSignal | undefined,
): Promise<Records<User>> {
  const datalist = await listAll<User>(async ({ page, size }) => {
    const input = { pageNo: page, pageSize: size, resultListType: 1, systemId: 301, usrUserType } as const
    const { list, total } = await call(getUsers, input, { signal })
    return { datalist: list, total }
  }, toId)
  return { datalist, total: datalist.length }
}

const rolesQuery = queryOptions({
  queryKey: ['roles', 'of-users'],
  queryFn: ({ signal }) => listAll((limiter) => call(getAllRolesP, { limiter }, { signal }), toId),
})
const companiesQuery = queryOptions({
  queryKey: ['companies', 'of-users'],
  queryFn: ({ signal }) => listAll((limiter) => call(getCompanies, { limiter }, { signal }), toId),
})
const organisationsQuery = queryOptions({
  queryKey: ['organisations', 'of-users'],
  queryFn: ({ signal }) => listAll((limiter) => call(getOrgans, { limiter }, { signal }), toId),
})
const verificationQuery = queryOptions({
  queryKey: ['verification'],
  queryFn: ({ signal }) => call(getVerification, {}, { signal }),
})

/** The enabled modules, for a preview of what a user sees. */
export const modulesQuery = queryOptions({
  queryKey: ['modules', 'of-users'],
  queryFn: ({ signal }) => call(getAllModules, {}, { signal }),
})

/** What a user can be assigned to. Each list is empty until it is loaded. */
export interface Assignable {
  readonly roles: readonly Role[]
  readonly companies: readonly Company[]
  /** Whether it is known that there is no company yet. */
  readonly lacksCompany: boolean
  readonly organisations: readonly Organisation[]
  /** Whether a new telephone number needs a code by SMS; undefined until it is known. */
  readonly needsCode: boolean | undefined
}

export function useAssignable(): Assignable {
  const roles = useQuery(rolesQuery)
  const companies = useQuery(companiesQuery)
  const organisations = useQuery(organisationsQuery)
  const verification = useQuery(verificationQuery)
  return {
    roles: roles.data ?? [],
    companies: companies.data ?? [],
    lacksCompany: companies.data?.length === 0,
    organisations: organisations.data ?? [],
    needsCode: verification.data?.isConfigured,
  }
}
