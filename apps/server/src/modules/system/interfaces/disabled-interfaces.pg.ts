import type { InputOf } from '@isotherm/contract/endpoint'
import type { setInterfaceStates } from '@isotherm/contract/endpoints/administration/interfaces'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { requireProvider } from '../policy.ts'

/** Calls without which nobody could log in, open the console, or enable an interface again. */
const alwaysOn: ReadonlySet<string> = new Set<EndpointName>([
  'login',
  'logout',
  'endLoggedOut',
  'getUser',
  'refreshToken',
  'tokenLogin',
  'reflushToken',
  'getAllModulesU',
  'getConsoleSettings',
  'z7TLogin',
  'getHtmlResByTK',
  'getInterfaces',
  'setInterfaceStates',
])

const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(endpoints, name)

/** Whether an interface can be disabled: an endpoint of signed-in users that is not needed to manage interfaces. */
export const isSwitchable = (name: string): boolean =>
  isEndpoint(name) && endpoints[name].access.kind !== 'public' && !alwaysOn.has(name)

/** The endpoints that administrators disabled, for all companies. */
export function createDisabledInterfaces(db: Database) {
  let cached: { readonly revision: number; readonly names: ReadonlySet<string> } | undefined

  async function list(): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ name: string }>`select name from disabled_interface`.execute(db)
    return new Set(rows.map(({ name }) => name))
  }

  return {
    list,

    /**
     * Throws interface.disabled.
     *
     * @param revision the access revision at the start of the call; it rises with every change of the disabled interfaces
     */
    async requireEnabled(name: EndpointName, revision: number): Promise<void> {
      if (!isSwitchable(name)) return
      if (cached?.revision !== revision) cached = { revision, names: await list() }
      if (cached.names.has(name)) throw new AppError('interface.disabled', { name })
    },

    /** Enables or disables endpoints, all or none. Returns how many changed. */
    async set(
      { caller, operation }: Call,
      { names, enabled }: InputOf<typeof setInterfaceStates>,
    ): Promise<number> {
      requireProvider(caller)
      for (const name of names) {
        if (!Object.hasOwn(endpoints, name)) throw new AppError('interface.not-found', { name })
        if (!enabled && !isSwitchable(name)) throw new AppError('interface.always-on', { name })
      }
      return operate(db, operation, async (transaction) => {
        const { rows } = enabled
          ? await sql`
              delete from disabled_interface where name = any(${[...names]}::text[]) returning name`.execute(
              transaction,
            )
          : await sql`
              insert into disabled_interface (name) select distinct unnest(${[...names]}::text[])
              on conflict do nothing returning name`.execute(transaction)
        return rows.length
      })
    },
  }
}
