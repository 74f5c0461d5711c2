import { modules } from '@isotherm/contract/access/permissions'
import { type SeededRole, seededRoles } from '@isotherm/contract/access/roles'
import type { Endpoint, InputOf, OutputOf } from '@isotherm/contract/endpoint'
import { type ConsoleSettings, getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import {
  getAllModulesU,
  getUser,
  login,
  logout,
  type ModuleItem,
  reflushToken,
  refreshToken,
  tokenLogin,
} from '@isotherm/contract/endpoints/administration/session'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { answerTree } from '../../features/network/panel/tree-server.testkit.ts'
import { hashPassword } from '../../shared/session/password.ts'
import { sessionKeys, storeTokens } from '../../shared/session/tokens.ts'
import { type Refusal, startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { startFakeLive } from '../../shared/testing/fake-live.testkit.ts'
import { createSampleNetwork } from './sample-network.testkit.ts'

/** Password of every account. */
export const PASSWORD = 'isotherm-demo'

const EXPIRED: Refusal = { code: 'session.expired', text: '用户信息已过期，请重新登录' }

const roles = Object.keys(seededRoles) as readonly SeededRole[]

/** Account of a role, named as in the demo. */
export const toAccount = (role: SeededRole): string => (role === 'administrator' ? 'admin' : role)

const findRole = (account: string): SeededRole | undefined =>
  roles.find((role) => toAccount(role) === account)

const toId = (role: SeededRole): number => roles.indexOf(role) + 1

/** Names of the modules of a new installation. */
const names: ReadonlyMap<string, string> = new Map(Object.entries(permissionNamesZh))

const groups: readonly string[] = Object.keys(modules)

/** The modules of permission values, as the server sends them. */
export const toModules = (urls: readonly string[]): ModuleItem[] =>
  urls.map((url, place) => ({
    id: place + 1,
    parentId: groups.includes(url) ? null : 0,
    name: names.get(url) ?? url,
    url,
    icon: '',
    sort: place,
    enabled: true,
  }))

const settings: ConsoleSettings = {
  companyTitle: '和源热力集团',
  companyLogo: '/brand/logo.svg',
  sidebarLogo: 1,
  loginSrcId: 0,
  demo: true,
  heatingSeason: { first: '11-15', last: '03-15' },
  timeZone: 'Asia/Shanghai',
}

/**
 * A fake product for one test of the console: accounts of the seeded roles, sessions, modules, settings, tree and live
 * stream. A call with the token of an ended session is refused with status 11. Other endpoints answer only after the test
 * has defined their answers with `api`.
 */
export function startFakeProduct() {
  const api = startFakeApi({ unanswered: 'open' })
  const holders = new Map<string, SeededRole>()
  const network = createSampleNetwork()
  let tokens = 0

  function issue(role: SeededRole, backend: string): string {
    tokens += 1
    const token = `${backend}-${role}-${tokens}`
    holders.set(token, role)
    return token
  }

  const findHolder = (token: string | undefined): SeededRole | undefined =>
    token === undefined ? undefined : holders.get(token)

  /** Answers the calls of a live session. */
  function answerHolder<Each extends Endpoint>(
    endpoint: Each,
    answer: (role: SeededRole, token: string, input: InputOf<Each>) => OutputOf<Each>,
  ): void {
    api.decide(endpoint, (input, token) => {
      const role = findHolder(token)
      if (role === undefined || token === undefined) return { refusal: EXPIRED }
      return { data: answer(role, token, input) }
    })
  }

  /** Ends every session of a role on the server. */
  function endSessions(role: SeededRole): void {
    for (const [token, holder] of holders) if (holder === role) holders.delete(token)
  }

  function answerLogin(): void {
    const judge = ({ username, password }: { username: string; password: string }) => {
      const role = findRole(username)
      return password === hashPassword(PASSWORD) ? role : undefined
    }
    const refusal: Refusal = { code: 'session.bad-credentials', text: '账号或密码错误' }
    api.decide(login, (input) => {
      const role = judge(input)
      if (!role) return { refusal }
      return { data: { token: issue(role, 'first'), uid: toId(role), expiresAt: Date.now() + 2 * HOUR_MS } }
    })
    api.decide(tokenLogin, (input) => {
      const role = judge(input)
      return role ? { data: { data: issue(role, 'second'), utype: 'usr' } } : { refusal }
    })
  }

  function answerSession(): void {
    answerHolder(getUser, (role) => ({
      id: toId(role),
      account: toAccount(role),
      name: toAccount(role),
      pAccount: '',
      sysrole: 0,
      tel: '',
      type_id: 0,
      usrUserLevel: 0,
      usrUserType: 'usr',
      projectIds: [1],
    }))
    answerHolder(logout, (_role, token) => {
      holders.delete(token)
      return {}
    })
    answerHolder(refreshToken, (role, token) => {
      holders.delete(token)
      return { token: issue(role, 'first'), expiresAt: Date.now() + 2 * HOUR_MS }
    })
    answerHolder(reflushToken, (role, token) => {
      holders.delete(token)
      return { data: issue(role, 'second'), utype: 'usr' }
    })
  }

  /** From now on these modules are permitted; by default those of the role. */
  function permit(urls?: readonly string[] | readonly ModuleItem[]): void {
    answerHolder(getAllModulesU, (role) => {
      const given = urls ?? seededRoles[role]
      const data = given.map((each, place) =>
        typeof each === 'string' ? toModules([each]).map((item) => ({ ...item, id: place + 1 })) : [each],
      )
      return { data: data.flat(), rcode: 1, paccount: '' }
    })
  }

  answerLogin()
  answerSession()
  permit()
  api.answer(getConsoleSettings, settings)
  answerTree(api, network)
  const live = startFakeLive((token) => holders.has(token))

  return {
    api,
    live,
    network,
    settings,
    permit,
    endSessions,
    /** Whether the session of a token is valid on the server. */
    isAlive: (token: string): boolean => holders.has(token),
    /** Stores a session of the role in this browser, as a login in any of its tabs does. */
    signIn(role: SeededRole): void {
      storeTokens(
        localStorage,
        {
          first: issue(role, 'first'),
          second: issue(role, 'second'),
          userType: 'usr',
          uid: String(toId(role)),
        },
        Date.now(),
      )
      localStorage.setItem(sessionKeys.loginSource, String(settings.loginSrcId))
    },
    /** Answers the modules again as before `refuse`, `disconnect` or `replace`. */
    restoreModules: () => permit(),
    restoreLogin: answerLogin,
  }
}

export type FakeProduct = ReturnType<typeof startFakeProduct>
