import type { Permission } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { hasCell, isServed } from '../../platform/cell/served.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { devicePath } from '../../platform/scope/scope.pg.ts'
import { intersectPaths } from '../../platform/scope/scope.ts'

/** The present permissions and paths of an account. */
export interface GrantsRow {
  readonly accountId: number
  readonly seesAll: boolean
  /** Whether it would see everything, and this server serves some companies only: `paths` are their projects. */
  readonly seesCell: boolean
  /** Permissions of enabled modules. */
  readonly permissions: readonly Permission[]
  /** Paths of the granted nodes and devices. */
  readonly paths: readonly string[]
}

/** SQL array of the paths that an account is granted. */
const pathsOf = (account: 'account.id' | 'parent.id') => sql`array(
  select node.path from account_node join node on node.id = account_node.node_id
  where account_node.account_id = ${sql.ref(account)}
  union all
  select ${devicePath} from account_device join device on device.id = account_device.device_id
  join node on node.id = device.node_id where account_device.account_id = ${sql.ref(account)})`

/** Paths of the projects of the companies that this server serves; null if it serves all. */
const servedProjects = sql`case when ${hasCell} then array(
  select project.path from node project where project.kind = 'project' and ${isServed('project.company_id')}) end`

interface StoredGrants extends Omit<GrantsRow, 'seesCell' | 'paths'> {
  readonly own: readonly string[]
  /** The parent's granted paths; null for an account without a limiting parent. */
  readonly theirs: readonly string[] | null
  readonly served: readonly string[] | null
}

function toGrants({ own, theirs, served, ...row }: StoredGrants): GrantsRow {
  const paths = theirs === null ? own : intersectPaths(own, theirs)
  if (served === null) return { ...row, seesCell: false, paths }
  if (row.seesAll) return { ...row, seesAll: false, seesCell: true, paths: served }
  return { ...row, seesCell: false, paths: intersectPaths(paths, served) }
}

/**
 * The present permissions and paths of accounts. A sub-account never has more than its parent: this is computed here,
 * because roles are widened and nodes are moved without a check of sub-accounts. A sub-account with a disabled parent
 * has nothing and is left out. Nobody has anything of a company that another server serves.
 */
export async function listGrants(db: Database, accountIds: readonly number[]): Promise<readonly GrantsRow[]> {
  const { rows } = await sql<StoredGrants>`
    select account.id as "accountId", account.sees_all as "seesAll",
      array(
        select distinct role_permission.permission from account_role
        join role_permission on role_permission.role_id = account_role.role_id
        join module on module.url = role_permission.permission and module.enabled
        where account_role.account_id = account.id
          and (parent.id is null or exists (
            select from account_role theirs join role_permission given on given.role_id = theirs.role_id
            where theirs.account_id = parent.id and given.permission = role_permission.permission))
      ) as permissions,
      ${pathsOf('account.id')} as own,
      case when parent.id is not null and not parent.sees_all then ${pathsOf('parent.id')} end as theirs,
      ${servedProjects} as served
    from account left join account parent on parent.id = account.parent_id
    where account.id = any(${[...accountIds]}::bigint[]) and (parent.id is null or parent.enabled)`.execute(
    db,
  )
  return rows.map(toGrants)
}
