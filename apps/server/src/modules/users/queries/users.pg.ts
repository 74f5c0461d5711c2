import type { InputOf } from '@isotherm/contract/endpoint'
import type { getUsers, User } from '@isotherm/contract/endpoints/administration/users'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  flagField,
  numberField,
  textField,
  toConditions,
  toOffset,
  toTotal,
} from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { toUserAbilities } from '../policy.ts'
import { type AccountKind, countVisible, isManagedBy, isOpenTo, visibleAccounts } from './managed.pg.ts'

interface UserRow {
  readonly id: number
  readonly account: string
  readonly name: string
  readonly pAccount: string
  readonly tel: string
  readonly kind: AccountKind
  readonly enabled: boolean
  readonly seesAll: boolean
  readonly companyId: number | null
  readonly organisationId: number | null
  readonly parentId: number | null
  readonly createdAt: Date
  readonly version: number
  readonly isManaged: boolean
  readonly roles: User['roles']
  readonly projectIds: number[]
}

/** sysrole of an account without a role (specification, section 9). */
const DEFAULT_SYSROLE = 101

const userFields: FilterFields = {
  id: numberField(sql`account.id`),
  account: textField(sql`account.account`),
  name: textField(sql`account.name`),
  tel: textField(sql`account.tel`),
  enabled: flagField(sql`account.enabled`),
}

/** Roles of `account` as JSON, lowest code first. */
export const rolesOfAccount = sql<User['roles']>`(
  select coalesce(json_agg(json_build_object('id', role.id, 'name', role.name, 'code', role.code)
    order by role.code, role.id), '[]') from account_role join role on role.id = account_role.role_id
  where account_role.account_id = account.id)`

const projectsOfAccount = sql<number[]>`(case when account.sees_all
  then (select coalesce(json_agg(node.id order by node.id), '[]') from node where node.kind = 'project')
  else (select coalesce(json_agg(given.project order by given.project), '[]') from (
    select split_part(node.path, '/', 2)::bigint as project from account_node join node on node.id = account_node.node_id
    where account_node.account_id = account.id
    union
    select split_part(node.path, '/', 2)::bigint from account_device
    join device on device.id = account_device.device_id join node on node.id = device.node_id
    where account_device.account_id = account.id) given) end)`

const toColumns = (caller: Caller): RawBuilder<unknown> => sql`
  account.id, account.account, account.name, account.p_account as "pAccount", account.tel, account.kind,
  account.enabled, account.sees_all as "seesAll", account.company_id as "companyId",
  account.organisation_id as "organisationId", account.parent_id as "parentId",
  account.created_at as "createdAt", account.version, ${isManagedBy(caller, 'changes')} as "isManaged",
  ${rolesOfAccount} as roles, ${projectsOfAccount} as "projectIds"`

function toUser(caller: Caller, { kind, isManaged, createdAt, ...row }: UserRow): User {
  return {
    ...row,
    sysrole: row.roles[0]?.code ?? DEFAULT_SYSROLE,
    type_id: 1,
    usrUserLevel: row.parentId === null ? 1 : 2,
    usrUserType: kind === 'provider' ? '100' : '01',
    createdAt: createdAt.getTime(),
    abilities: toUserAbilities(caller, { id: row.id, kind, isManaged }),
  }
}

export interface Page<Row> {
  readonly rows: Row[]
  readonly total: number
}

type Condition = RawBuilder<SqlBool>

const toKindCondition = (kind: 'company' | 'provider', is: boolean): Condition =>
  is ? sql<SqlBool>`account.kind = ${kind}` : sql<SqlBool>`account.kind <> ${kind}`

/** Condition for the sub-accounts that a query selects; undefined when it selects accounts of any kind. */
function toParentCondition(caller: Caller, query: InputOf<typeof getUsers>): Condition | undefined {
  const { subAccount, isGetSubAccountInfo, isGetUserSelf } = query
  if (subAccount === undefined && isGetSubAccountInfo !== 1) return undefined
  const parent =
    subAccount === undefined
      ? sql`${caller.accountId}::bigint`
      : sql`(select id from account parent where parent.account = ${subAccount})`
  return isGetUserSelf === 1
    ? sql<SqlBool>`(account.parent_id = ${parent} or account.id = ${parent})`
    : sql<SqlBool>`account.parent_id = ${parent}`
}

function toUserConditions(caller: Caller, query: InputOf<typeof getUsers>): readonly Condition[] {
  const { account = '', locked, usrUserType, disReturnusrUserTypeArr = [] } = query
  const has = (column: string) => sql`strpos(lower(${sql.ref(column)}), lower(${account})) > 0`
  const conditions: (Condition | undefined)[] = [
    toParentCondition(caller, query),
    account === ''
      ? undefined
      : sql<SqlBool>`(${has('account.account')} or ${has('account.name')} or ${has('account.tel')})`,
    locked === undefined ? undefined : sql<SqlBool>`account.enabled = ${locked === 0}`,
    usrUserType === undefined
      ? undefined
      : toKindCondition(usrUserType === '100' ? 'provider' : 'company', true),
    ...disReturnusrUserTypeArr.map((type) => toKindCondition(type === 100 ? 'provider' : 'company', false)),
  ]
  return conditions.filter((condition) => condition !== undefined)
}

/** A page of the accounts that match and that the caller may see. */
async function selectUsers(
  db: Database,
  caller: Caller,
  conditions: readonly Condition[],
  { order, limiter }: { readonly order: 'account' | 'name'; readonly limiter: Limiter },
): Promise<Page<User>> {
  const visible = visibleAccounts(
    caller,
    conditions.length > 0 ? sql.join([...conditions], sql` and `) : undefined,
  )
  const { rows } = await sql<UserRow & { readonly total: number }>`${visible}
    select ${toColumns(caller)}, (select count(*) from visible) as total
    from visible join account on account.id = visible.id
    order by ${sql.ref(`account.${order}`)}, account.id
    limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  const total = rows[0]?.total ?? (await toTotal(limiter, 0, () => countVisible(db, visible)))
  return { rows: rows.map(({ total: _, ...row }) => toUser(caller, row)), total }
}

/** Accounts that match a query and that the caller may see. */
export const listUsers = (
  db: Database,
  caller: Caller,
  query: InputOf<typeof getUsers>,
): Promise<Page<User>> =>
  selectUsers(db, caller, toUserConditions(caller, query), {
    order: query.resultListType === 1 ? 'account' : 'name',
    limiter: { page: query.pageNo, size: query.pageSize },
  })

/** Sub-accounts of an account that match a filter and that the caller may see. */
export const listSubUsers = (
  db: Database,
  caller: Caller,
  parentId: number,
  { filter, limiter }: { readonly filter: readonly FilterItem[]; readonly limiter: Limiter },
): Promise<Page<User>> =>
  withListLimits(db, filter, (bounded) =>
    selectUsers(
      bounded,
      caller,
      [sql<SqlBool>`account.parent_id = ${parentId}`, toConditions(userFields, filter)],
      { order: 'account', limiter },
    ),
  )

/** Finds an account that the caller may see, or their own. */
export async function findUser(db: Database, caller: Caller, id: number): Promise<User | undefined> {
  const { rows } = await sql<UserRow>`
    select ${toColumns(caller)} from account
    where account.id = ${id} and ${isOpenTo(caller, 'reads')}`.execute(db)
  const [row] = rows
  return row && toUser(caller, row)
}
