import type { grantsEndpoints } from '@isotherm/contract/endpoints/administration/grants'
import type { userAccessEndpoints } from '@isotherm/contract/endpoints/administration/user-access'
import type { userRolesEndpoints } from '@isotherm/contract/endpoints/administration/user-roles'
import type { usersEndpoints } from '@isotherm/contract/endpoints/administration/users'
import { AppError } from '../../platform/app-error.ts'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createOwnSessions } from './accounts/own-sessions.ts'
import { createRegistration } from './accounts/register.ts'
import type { UsersDependencies } from './dependencies.ts'
import { listUserRoles } from './queries/user-roles.pg.ts'
import { findUser, listSubUsers, listUsers } from './queries/users.pg.ts'
import { createGrants } from './rights/grants.ts'
import { createRoleChanges } from './rights/role-changes.ts'

function createUserHandlers(
  dependencies: UsersDependencies,
): HandlersOf<keyof typeof usersEndpoints | keyof typeof userAccessEndpoints | 'resetSecondFactor'> {
  const { db, verification } = dependencies
  const registration = createRegistration(dependencies)
  const accounts = createAccounts(dependencies)
  const ownSessions = createOwnSessions(dependencies)
  return {
    async getUsers(input, { caller }) {
      const { rows: list, total } = await listUsers(db, caller, input)
      return { list, total }
    },
    regUser2: (input, call) => registration.register(call, input),
    insertUserByTk: (input, call) => registration.registerSubAccount(call, input),
    editUser: (input, call) => accounts.edit(call, input),
    editUserEnableState: (input, call) => accounts.setEnabled(call, input),
    deleteUsers: (input, call) => accounts.remove(call, input),
    sendVerificationCode: async ({ tel }, { caller }) => ({
      expiresAt: await verification.send({ tel, accountId: caller.accountId }),
    }),
    getVerification: async () => ({ isConfigured: verification.isConfigured }),
    resetPassword: (input, call) => accounts.resetPassword(call, input),
    resetSecondFactor: (input, call) => accounts.resetSecondFactor(call, input),
    changePassword: (input, call) => accounts.changePassword(call, input),
    async getSubUserByTk({ uid, ...query }, { caller }) {
      const { rows: datalist, total } = await listSubUsers(db, caller, uid ?? caller.accountId, query)
      return { datalist, total }
    },
    getSessions: (input, call) => accounts.listSessions(call, input),
    endSessions: (input, call) => accounts.endSessions(call, input),
    getOwnSessions: (input, call) => ownSessions.list(call, input),
    endOwnSessions: (input, call) => ownSessions.end(call, input),
  }
}

function createRoleHandlers(dependencies: UsersDependencies): HandlersOf<keyof typeof userRolesEndpoints> {
  const { db } = dependencies
  const roles = createRoleChanges(dependencies)
  return {
    async getUserRoles({ uid }, { caller }) {
      const found = await findUser(db, caller, uid)
      if (!found) throw new AppError('account.not-found')
      const { account, version, roles: datalist } = found
      return { uid, account, version, datalist }
    },
    getAllUserRoles: ({ pageNo: page, pageSize: size }, { caller }) =>
      listUserRoles(db, caller, { page, size }),
    addUserRole: (input, call) => roles.give(call, input),
    insertUserRoleByTk: (input, call) => roles.giveToSubAccount(call, input),
    delUserRole: (input, call) => roles.take(call, input),
  }
}

function createGrantHandlers(dependencies: UsersDependencies): HandlersOf<keyof typeof grantsEndpoints> {
  const grants = createGrants(dependencies)
  return {
    getUserDevSubNestAddrByTk: (input, call) => grants.list(call, input),
    getSubUserResByTk: (input, call) => grants.listResources(call, input),
    async getUserDevCondByTk(input, call) {
      const { rows: datalist, total } = await grants.listDevices(call, input)
      return { datalist, total }
    },
    async getDevsForVn({ uid, pageNo: page, pageSize: size }, call) {
      const { rows: list, total } = await grants.listDevices(call, {
        uid,
        filter: [],
        limiter: { page, size },
      })
      return { list, total }
    },
    getSuidAndDeviceByPuid: (input, call) => grants.listSubAccountDevices(call, input),
    wxGetSubUser4DevByTk: (input, call) => grants.listHolders(call, input),
    insertUserDevByTk: (input, call) => grants.add(call, input),
    insertSubUserDevByTk: (input, call) => grants.addToSubAccount(call, input),
    updateUserDevByTk: (input, call) => grants.replace(call, input),
    deleteUserDevByTk: (input, call) => grants.remove(call, input),
    deleteSubUserDevByTk: (input, call) => grants.removeFromSubAccount(call, input),
  }
}

type UsersHandlers = HandlersOf<
  | keyof typeof usersEndpoints
  | keyof typeof userAccessEndpoints
  | 'resetSecondFactor'
  | keyof typeof userRolesEndpoints
  | keyof typeof grantsEndpoints
>

export const createUsersHandlers = (dependencies: UsersDependencies): UsersHandlers => ({
  ...createUserHandlers(dependencies),
  ...createRoleHandlers(dependencies),
  ...createGrantHandlers(dependencies),
})
