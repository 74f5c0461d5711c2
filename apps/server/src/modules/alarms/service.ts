import type { Alarm, AlarmCounts, AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  countAlarms as countAlarmsEndpoint,
  editAlarm,
  editAlarms,
  exportAlarmLog,
  getAlarmLog,
  getAlarms,
} from '@isotherm/contract/endpoints/monitoring/alarms'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import type { FileAnswer } from '../../platform/http/handlers.ts'
import { lockVersion } from '../../platform/operation/lock-version.pg.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { CSV_TYPE, toCsvFile } from '../../platform/spreadsheet/csv-writer.ts'
import { SHEET_ROWS, toWorkbook } from '../../platform/spreadsheet/workbook-writer.ts'
import { createReaderSlots } from '../../platform/tasks/reader-slots.ts'
import { type AlarmActions, applyActions, requireAssignee } from './changes/edit-alarms.pg.ts'
import { findPaths, type ResolveNodes } from './model/places.pg.ts'
import { requireHandling } from './model/policy.ts'
import { countLog, type LogSelection, listLog, readLog } from './queries/alarm-log.pg.ts'
import {
  type AlarmSelection,
  countAlarms,
  findAlarmIds,
  findAlarms,
  listAlarms,
} from './queries/alarm-rows.pg.ts'
import { toLogSheet } from './queries/export-log.ts'
import { readTimeZone } from './rules/rules.pg.ts'

export interface AlarmService {
  list(caller: Caller, query: InputOf<typeof getAlarms>): Promise<{ datalist: Alarm[]; total: number }>
  count(caller: Caller, query: InputOf<typeof countAlarmsEndpoint>): Promise<AlarmCounts>
  edit(call: Call, edited: InputOf<typeof editAlarm>): Promise<Alarm>
  editAll(call: Call, edited: InputOf<typeof editAlarms>): Promise<{ affected: number }>
  listLog(
    caller: Caller,
    query: InputOf<typeof getAlarmLog>,
  ): Promise<{ datalist: AlarmLogEntry[]; total: number }>
  /** One export at a time per account. Throws request.too-many, transfer.too-many-rows. */
  exportLog(call: Call, query: InputOf<typeof exportAlarmLog>): Promise<FileAnswer>
}

const pickActions = ({ acknowledge, close, assignee, comment }: AlarmActions): AlarmActions => ({
  acknowledge,
  close,
  assignee,
  comment,
})

function requireAction(actions: AlarmActions): void {
  if (Object.values(pickActions(actions)).some((action) => action !== undefined)) return
  throw new AppError('request.malformed', { detail: 'acknowledge: no action is given' })
}

const MAX_EXPORTS = 3

export function createAlarmService(
  db: Database,
  resolve: ResolveNodes,
  clock: Pick<Clock, 'now'>,
): AlarmService {
  const slots = createReaderSlots(MAX_EXPORTS)

  async function toSelection(
    { scope }: Caller,
    { nodes, ...rest }: Pick<InputOf<typeof getAlarms>, 'nodes' | 'filter' | 'open' | 'suppressed'>,
  ): Promise<AlarmSelection> {
    return { scope, paths: await findPaths(resolve, scope, nodes), ...rest }
  }

  async function toLogSelection(
    { scope }: Caller,
    { nodes, ...rest }: Omit<InputOf<typeof exportAlarmLog>, 'format'>,
  ): Promise<LogSelection> {
    return { scope, paths: await findPaths(resolve, scope, nodes), ...rest }
  }

  return {
    async list(caller, { limiter, ...query }) {
      return listAlarms(db, caller, await toSelection(caller, query), { limiter, now: clock.now() })
    },

    async count({ scope }, { nodes }) {
      return countAlarms(db, { scope, paths: await findPaths(resolve, scope, nodes) }, clock.now())
    },

    async edit({ caller, operation }, { id, version, ...given }) {
      requireHandling(caller)
      requireAction(given)
      await requireAssignee(db, caller, given)
      await operate(db, operation, async (transaction) => {
        const isThere = await lockVersion(transaction, { table: 'alarm', entity: 'alarm', id, version })
        const [placed] = isThere ? await findAlarms(transaction, caller, [id], clock.now()) : []
        if (!placed) throw new AppError('alarm.not-found')
        if (placed.alarm.state === 'ended') throw new AppError('alarm.ended')
        await applyActions(transaction, [id], pickActions(given), {
          account: caller.account,
          at: clock.now(),
        })
      })
      const [placed] = await findAlarms(db, caller, [id], clock.now())
      if (!placed) throw new AppError('alarm.not-found')
      return placed.alarm
    },

    async editAll({ caller, operation }, { nodes, filter, suppressed, ...given }) {
      requireHandling(caller)
      requireAction(given)
      await requireAssignee(db, caller, given)
      const selection = await toSelection(caller, { nodes, filter, suppressed, open: true })
      const ids = await findAlarmIds(db, selection, clock.now())
      const changed = await operate(db, operation, (transaction) =>
        applyActions(transaction, ids, pickActions(given), { account: caller.account, at: clock.now() }),
      )
      return { affected: changed.size }
    },

    async listLog(caller, { limiter, ...query }) {
      return listLog(db, await toLogSelection(caller, query), limiter)
    },

    async exportLog({ caller, language }, { format, ...query }) {
      slots.requireFree(caller.accountId)
      const selection = await toLogSelection(caller, query)
      const fileName = `alarms-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`
      const timeZone = await readTimeZone(db, caller.companyId)
      const sheet = toLogSheet(language, timeZone, readLog(db, selection))
      const open = () => (format === 'csv' ? toCsvFile(sheet.rows) : toWorkbook([sheet]))
      const bytes = slots.readInSlot(caller.accountId, open)
      if (format === 'csv') return { fileName, type: CSV_TYPE, bytes }
      const rows = await countLog(db, selection)
      if (rows > SHEET_ROWS) throw new AppError('transfer.too-many-rows', { rows, limit: SHEET_ROWS })
      return { fileName, bytes }
    },
  }
}
