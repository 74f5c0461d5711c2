import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getRoomRules, setRoomRules } from '@isotherm/contract/endpoints/monitoring/rooms'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import { findRules, setRules, toCommonPath } from './rules.pg.ts'

/** Rules that judge rooms. */
export interface RulesService {
  /** Throws node.not-found. */
  get(scope: Scope, input: InputOf<typeof getRoomRules>): Promise<OutputOf<typeof getRoomRules>>
  /** Throws node.not-found, request.malformed, entity.stale. */
  set(call: Call, input: InputOf<typeof setRoomRules>): Promise<OutputOf<typeof setRoomRules>>
}

export const createRulesService = (
  db: Database,
  network: Pick<NetworkService, 'resolveNodes'>,
): RulesService => ({
  async get(scope, { node }) {
    const paths = await network.resolveNodes(scope, [node])
    return findRules(db, toCommonPath(paths))
  },
  async set({ caller, operation }, { node, rules, version }) {
    if (rules.toHour <= rules.fromHour || rules.hotC <= rules.coldC)
      throw new AppError('request.malformed', { detail: 'rules: an upper limit is not above the lower one' })
    const [path] = await network.resolveNodes(caller.scope, [node])
    if (path === undefined) throw new AppError('node.not-found')
    const isSet = await operate(db, operation, (transaction) =>
      setRules(transaction, path, { rules, version }),
    )
    if (!isSet) throw new AppError('node.not-found')
    return findRules(db, path)
  },
})
