import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/administration/grants'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { getVersion, type LockedAccount, lockAccount, touchAccounts } from '../queries/accounts.pg.ts'
import {
  addGrants,
  countGrants,
  type GrantSet,
  removeGrants,
  replaceGrants,
} from '../queries/grant-changes.pg.ts'
import {
  listGrantedDevices,
  listGrantedPlaces,
  listHolders,
  listModulesOf,
  listSubAccountDevices,
} from '../queries/grants.pg.ts'
import { narrowGrantsBelow, requireWithinParent } from '../queries/sub-accounts.pg.ts'
import { findUser } from '../queries/users.pg.ts'

type Change = InputOf<typeof api.updateUserDevByTk>
type Changed = OutputOf<typeof api.updateUserDevByTk>
type Work = (transaction: Transaction<Tables>, locked: LockedAccount, grants: GrantSet) => Promise<void>

const toOwner = ({ id: uid, account, seesAll, version, abilities }: User) => ({
  uid,
  account,
  seesAll,
  version,
  abilities,
})

/** Reads and changes the places of the tree that accounts are granted. */
export function createGrants({ db, toGrantSet }: UsersDependencies) {
  async function getUser(caller: Caller, uid: number): Promise<User> {
    const found = await findUser(db, caller, uid)
    if (!found) throw new AppError('account.not-found')
    return found
  }

  async function change({ caller, operation }: Call, input: Change, work: Work): Promise<Changed> {
    const { uid, version } = input
    if (uid === caller.accountId) throw new AppError('account.yourself')
    const grants = await toGrantSet(caller.scope, input)
    return operate(db, operation, async (transaction) => {
      const locked = await lockAccount(transaction, caller, { id: uid, version })
      await work(transaction, locked, grants)
      await requireWithinParent(transaction, uid)
      await narrowGrantsBelow(transaction, uid)
      await touchAccounts(transaction, [uid], 'grants_rev')
      return { uid, version: await getVersion(transaction, uid), total: await countGrants(transaction, uid) }
    })
  }

  const add: Work = addGrants
  const remove: Work = (transaction, { id }, grants) => removeGrants(transaction, id, grants)

  const ofSubAccount =
    (work: Work): Work =>
    (transaction, locked, grants) => {
      if (locked.parentId === null) throw new AppError('account.not-found')
      return work(transaction, locked, grants)
    }

  return {
    add: (call: Call, input: Change) => change(call, input, add),
    addToSubAccount: (call: Call, input: Change) => change(call, input, ofSubAccount(add)),
    replace: (call: Call, input: Change) => change(call, input, replaceGrants),
    remove: (call: Call, input: Change) => change(call, input, remove),
    removeFromSubAccount: (call: Call, input: Change) => change(call, input, ofSubAccount(remove)),

    async list({ caller }: Call, { uid, limiter }: InputOf<typeof api.getUserDevSubNestAddrByTk>) {
      const owner = toOwner(await getUser(caller, uid))
      const { rows, total } = await listGrantedPlaces(db, uid, limiter)
      return { ...owner, datalist: rows, total }
    },

    async listResources({ caller }: Call, { uid, limiter }: InputOf<typeof api.getSubUserResByTk>) {
      const user = await getUser(caller, uid)
      if (user.parentId === null) throw new AppError('account.not-found')
      const { rows, total } = await listGrantedPlaces(db, uid, limiter)
      const modules = await listModulesOf(db, uid)
      return { ...toOwner(user), roles: user.roles, modules, datalist: rows, total }
    },

    async listDevices({ caller }: Call, { uid, ...query }: InputOf<typeof api.getUserDevCondByTk>) {
      await getUser(caller, uid)
      return listGrantedDevices(db, caller, uid, query)
    },

    async listSubAccountDevices({ caller }: Call, input: InputOf<typeof api.getSuidAndDeviceByPuid>) {
      const { uid, pageNo: page, pageSize: size } = input
      await getUser(caller, uid)
      return listSubAccountDevices(db, caller, uid, { page, size })
    },

    listHolders: ({ caller }: Call, { deviceId, limiter }: InputOf<typeof api.wxGetSubUser4DevByTk>) =>
      listHolders(db, caller, deviceId, limiter),
  }
}
