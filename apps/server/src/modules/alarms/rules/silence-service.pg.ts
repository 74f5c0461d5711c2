import type { AlarmSilence } from '@isotherm/contract/alarms/alarms'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type {
  addAlarmSilence,
  endAlarmSilence,
  getAlarmAbilities,
  getAlarmSilences,
} from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { DAY_MS } from '@isotherm/kernel/durations'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isVisible } from '../../../platform/scope/scope.pg.ts'
import { ROOT_PATH, type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import { toNodeKey } from '../../network/index.ts'
import { toSilencePayload } from '../model/alarm-signal.ts'
import { findPaths, getPlace, type ResolveNodes } from '../model/places.pg.ts'
import { requireHandling, toAbilitiesAt, type Viewer } from '../model/policy.ts'

/** Silences: subtrees without notices for a limited time. */
export interface SilenceService {
  list(
    caller: Caller,
    query: InputOf<typeof getAlarmSilences>,
  ): Promise<{ datalist: AlarmSilence[]; total: number }>
  /** Actions that the caller may take at a visible node. Throws node.not-found. */
  findAbilities(caller: Caller, node: string): Promise<OutputOf<typeof getAlarmAbilities>>
  add(call: Call, added: InputOf<typeof addAlarmSilence>): Promise<AlarmSilence>
  end(call: Call, ended: InputOf<typeof endAlarmSilence>): Promise<{ id: number }>
}

const MAX_MS = 90 * DAY_MS

interface Row {
  readonly id: number
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
  readonly nestaddr: string
  readonly path: string
  readonly from: Date
  readonly until: Date
  readonly reason: string
  readonly account: string
  readonly version: number
}

const toSeen = (row: Row, viewer: Viewer): AlarmSilence => ({
  id: row.id,
  node: toNodeKey({ id: row.nodeId, uuid: row.uuid, address: row.address }),
  nestaddr: row.nestaddr,
  from: row.from.getTime(),
  until: row.until.getTime(),
  reason: row.reason,
  account: row.account,
  version: row.version,
  abilities: toAbilitiesAt(viewer, row.path, ['end']),
})

const from = sql`alarm_silence silence join node on node.id = silence.node_id`
const columns = sql`
  silence.id, node.id as "nodeId", node.uuid, node.address, node.nestaddr, node.path, silence.from_at as "from",
  silence.until_at as "until", silence.reason, silence.account, silence.version`

export function createSilenceService(
  db: Database,
  resolve: ResolveNodes,
  clock: Pick<Clock, 'now'>,
): SilenceService {
  const isOn = (): RawBuilder<unknown> =>
    sql`silence.ended_at is null and silence.until_at > ${new Date(clock.now())}`

  return {
    async list(caller, { nodes, limiter }) {
      const paths = await findPaths(resolve, caller.scope, nodes)
      const within: Scope = paths ? { kind: 'paths', paths } : caller.scope
      const matching = sql`${isOn()} and ${isVisible('node.path', within)}`
      const { rows } = await sql<Row>`
        select ${columns} from ${from} where ${matching}
        order by silence.until_at, silence.id limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
      const total = await toTotal(limiter, rows.length, async () => {
        const counted = await sql<{ total: number }>`
          select count(*) as total from ${from} where ${matching}`.execute(db)
        return counted.rows[0]?.total ?? 0
      })
      return { datalist: rows.map((row) => toSeen(row, caller)), total }
    },

    async findAbilities(caller, node) {
      const [path = ROOT_PATH] = await resolve(scopeOfEverything, [node])
      // The root has no row and cannot be silenced.
      return { node, abilities: path === ROOT_PATH ? [] : toAbilitiesAt(caller, path, ['silence']) }
    },

    async add({ caller, operation }, { node, until, reason }) {
      requireHandling(caller)
      const now = clock.now()
      if (until <= now || until > now + MAX_MS) {
        throw new AppError('request.malformed', { detail: 'until: within the next 90 days' })
      }
      const { nodeId, companyId } = await getPlace(db, resolve, caller.scope, node)
      return operate(db, operation, async (transaction) => {
        const { rows } = await sql<Row>`
          with silence as (
            insert into alarm_silence (company_id, node_id, from_at, until_at, reason, account)
            values (${companyId}, ${nodeId}, ${new Date(now)}, ${new Date(until)}, ${reason}, ${caller.account})
            returning *)
          select ${columns} from silence join node on node.id = silence.node_id`.execute(transaction)
        const [row] = rows
        if (!row) throw new AppError('node.not-found')
        await toSignal('alarm_changed', toSilencePayload(row.path)).execute(transaction)
        return toSeen(row, caller)
      })
    },

    async end({ caller, operation }, { id, version }) {
      requireHandling(caller)
      return operate(db, operation, async (transaction) => {
        const target = { table: 'alarm_silence', entity: 'alarm-silence', id, version } as const
        if (!(await lockVersion(transaction, target))) throw new AppError('alarm-silence.not-found')
        const { rows } = await sql<{ path: string }>`
          update alarm_silence silence set ended_at = ${new Date(clock.now())}
          from node where silence.id = ${id} and node.id = silence.node_id and ${isOn()}
          returning node.path`.execute(transaction)
        const [ended] = rows
        // The silence has already expired.
        if (!ended) throw new AppError('alarm-silence.not-found')
        await toSignal('alarm_changed', toSilencePayload(ended.path)).execute(transaction)
        return { id }
      })
    },
  }
}
