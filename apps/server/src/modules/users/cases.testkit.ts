import type { grantsEndpoints } from '@isotherm/contract/endpoints/administration/grants'
import {
  type userAccessEndpoints,
  userSession,
} from '@isotherm/contract/endpoints/administration/user-access'
import type { userRolesEndpoints } from '@isotherm/contract/endpoints/administration/user-roles'
import type { usersEndpoints } from '@isotherm/contract/endpoints/administration/users'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'
import { turnOn } from '../session/cases.testkit.ts'
import { toClientHash } from '../session/index.ts'
import { toGiven, toNext, toPassword, toPasswordText } from './users.testkit.ts'

const limiter = { page: 1, size: 100 }
const made = z.object({ id: z.number(), account: z.string(), version: z.number() })
const sessions = z.object({ datalist: z.array(userSession) })

async function findRole({ server }: World): Promise<number> {
  const found = server.db.selectFrom('role').select('id').where('key', '=', 'viewer')
  return (await found.executeTakeFirstOrThrow()).id
}

/** An account of the company that is granted the first station and a device there, unless said otherwise. */
async function makeUser(world: World, given: Readonly<Record<string, unknown>> = {}) {
  const account = world.unique('user')
  const user = {
    account,
    name: '王五',
    ...toGiven(toPasswordText(account)),
    roleIds: [await findRole(world)],
    nodes: [await world.server.nodeKey('s1')],
    deviceIds: [await world.server.deviceId('V-b2u1')],
  }
  return made.parse(await world.callOk('regUser2', { ...user, ...given }))
}

async function makeSubUser(world: World) {
  const parent = await makeUser(world)
  return { parent, sub: await makeUser(world, { secAccount: parent.account }) }
}

async function toGrants({ server }: World) {
  return { nodes: [await server.nodeKey('b10')], deviceIds: [await server.deviceId('R-b2u2')] }
}

const users: CasesOf<keyof typeof usersEndpoints | keyof typeof userAccessEndpoints | 'resetSecondFactor'> = {
  async getUsers(world) {
    const { account } = await makeUser(world)
    return {
      account: '',
      locked: 0,
      pageNo: 1,
      pageSize: 20,
      resultListType: 1,
      systemId: 301,
      subAccount: account,
      isGetSubAccountInfo: 1,
      isGetUserSelf: 1,
      usrUserType: '01',
      disReturnusrUserTypeArr: [100],
    }
  },
  async regUser2(world) {
    const account = world.unique('new')
    const { account: secAccount } = await makeUser(world)
    return {
      account,
      name: '赵六',
      ...toGiven(toPasswordText(account)),
      tel: '',
      secAccount,
      roleIds: [await findRole(world)],
      ...(await toGrants(world)),
    }
  },
  async insertUserByTk(world) {
    const account = world.unique('new')
    return {
      account,
      name: '赵六',
      ...toGiven(toPasswordText(account)),
      roleIds: [await findRole(world)],
      ...(await toGrants(world)),
    }
  },
  async editUser(world) {
    const { sub, parent } = await makeSubUser(world)
    const { id, version } = sub
    return { id, version, name: '孙七', secAccount: parent.account, roleIds: [], organisationId: null }
  },
  async editUserEnableState(world) {
    const { id, version } = await makeUser(world)
    return { id, version, state: 0 }
  },
  async deleteUsers(world) {
    const { id, version } = await makeUser(world)
    return { items: [{ id, version }] }
  },
  sendVerificationCode: async (world) => ({ tel: world.unique('13800000') }),
  getVerification: async () => ({}),
  async resetPassword(world) {
    const { id: uid, version } = await makeUser(world)
    return { uid, version, ...toGiven('一个新的密码，很长很长') }
  },
  async resetSecondFactor(world) {
    const { id: uid, account } = await makeUser(world)
    await turnOn(world, { username: account, password: toPassword(account) })
    const found = world.server.db.selectFrom('account').select('version').where('id', '=', uid)
    return { uid, version: (await found.executeTakeFirstOrThrow()).version }
  },
  async changePassword(world) {
    const { account: username } = await makeUser(world)
    return { username, password: toPassword(username), ...toNext('自己的新密码，很长很长') }
  },
  async getSubUserByTk(world) {
    const { parent } = await makeSubUser(world)
    return { uid: parent.id, filter: [{ field: 'account', cond: 'regex', vrex: '^user' }], limiter }
  },
  async getSessions(world) {
    const { id: uid, account } = await makeUser(world)
    await world.server.logIn(account, toPasswordText(account))
    return { uid, limiter }
  },
  async endSessions(world) {
    const { id: uid, account } = await makeUser(world)
    await world.server.logIn(account, toPasswordText(account))
    const { datalist } = sessions.parse(await world.callOk('getSessions', { uid }))
    return { ids: datalist.map(({ id }) => id) }
  },
  getOwnSessions: async () => ({ limiter }),
  async endOwnSessions(world) {
    await world.server.logIn('whole')
    const { datalist } = sessions.parse(await world.callOk('getOwnSessions', {}))
    const ids = datalist.filter(({ isThis }) => !isThis).map(({ id }) => id)
    return { ids: ids.slice(0, 1), password: toClientHash('whole') }
  },
}

const userRoles: CasesOf<keyof typeof userRolesEndpoints> = {
  getUserRoles: async (world) => ({ uid: (await makeUser(world)).id }),
  getAllUserRoles: async () => ({ pageNo: 1, pageSize: 100 }),
  async addUserRole(world) {
    const { id: uid, version } = await makeUser(world, { roleIds: [] })
    return { uid, version, roleIds: [await findRole(world)] }
  },
  async insertUserRoleByTk(world) {
    const account = world.unique('mine')
    const grants = await toGrants(world)
    const sub = { account, name: '周八', ...toGiven(toPasswordText(account)), ...grants }
    const { id: uid, version } = made.parse(await world.callOk('insertUserByTk', sub))
    return { uid, version, roleIds: [await findRole(world)] }
  },
  async delUserRole(world) {
    const { id: uid, version } = await makeUser(world)
    return { uid, version, roleIds: [await findRole(world)] }
  },
}

const grants: CasesOf<keyof typeof grantsEndpoints> = {
  getUserDevSubNestAddrByTk: async (world) => ({ uid: (await makeUser(world)).id, limiter }),
  getSubUserResByTk: async (world) => ({ uid: (await makeSubUser(world)).sub.id, limiter }),
  async getUserDevCondByTk(world) {
    const { id: uid } = await makeUser(world)
    return { uid, filter: [{ field: 'kind', cond: 'eq', vstd: 'valve' }], limiter }
  },
  getDevsForVn: async (world) => ({ uid: (await makeUser(world)).id }),
  getSuidAndDeviceByPuid: async (world) => ({ uid: (await makeSubUser(world)).parent.id }),
  async wxGetSubUser4DevByTk(world) {
    await makeSubUser(world)
    return { deviceId: await world.server.deviceId('V-b2u1'), limiter }
  },
  async insertUserDevByTk(world) {
    const { id: uid, version } = await makeUser(world)
    return { uid, version, ...(await toGrants(world)) }
  },
  async insertSubUserDevByTk(world) {
    const { id: uid, version } = (await makeSubUser(world)).sub
    return { uid, version, ...(await toGrants(world)) }
  },
  async updateUserDevByTk(world) {
    const { id: uid, version } = await makeUser(world)
    return { uid, version, ...(await toGrants(world)) }
  },
  async deleteUserDevByTk(world) {
    const { id: uid, version } = await makeUser(world, await toGrants(world))
    return { uid, version, ...(await toGrants(world)) }
  },
  async deleteSubUserDevByTk(world) {
    const parent = await makeUser(world)
    const given = { secAccount: parent.account, ...(await toGrants(world)) }
    const { id: uid, version } = await makeUser(world, given)
    return { uid, version, ...(await toGrants(world)) }
  },
}

export const usersCases = { ...users, ...userRoles, ...grants }
