import { type Command, type CommandKind, command } from '@isotherm/contract/command'
import { sql } from 'kysely'
import { z } from 'zod'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { takeListTurn } from '../../../platform/postgres/list-limits.pg.ts'
import { devicePath, isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { CommandQuery, PlacedCommand } from '../model/records.ts'

/** Commands with their device and the instant of each state. */
const placedCommands = (db: Database, scope: Scope) =>
  db
    .selectFrom('command')
    .innerJoin('device', 'device.id', 'command.device_id')
    .innerJoin('node', 'node.id', 'device.node_id')
    .where(isDeviceInScope(scope))
    .select([
      'command.id',
      'command.batch_id as batchId',
      'command.device_id as deviceId',
      'device.name as deviceName',
      'node.nestaddr',
      devicePath.as('path'),
      'command.kind',
      'command.opening_pct as openingPct',
      'command.previous_pct as previousPct',
      'command.head_kpa as headKpa',
      'command.previous_kpa as previousKpa',
      'command.offset_k as offsetK',
      'command.previous_k as previousK',
      'command.state',
      'command.priority',
      'command.result_code as resultCode',
      'command.actor',
      'command.reason',
      'command.created_ms as createdAt',
      'command.updated_ms as updatedAt',
      'command.expires_ms as expiresAt',
      sql<unknown>`(select jsonb_object_agg(to_state, at_ms) from command_event
        where command_id = command.id and to_state is not null)`.as('reached'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof placedCommands>['execute']>>[number]

const reached = z.preprocess((value) => value ?? {}, command.shape.reached)

function toCommand(found: Row): Command {
  const { path: _path, openingPct, previousPct, headKpa, previousKpa, offsetK, previousK, ...row } = found
  return {
    ...row,
    ...(openingPct === null ? {} : { openingPct }),
    ...(previousPct === null ? {} : { previousPct }),
    ...(headKpa === null ? {} : { headKpa }),
    ...(previousKpa === null ? {} : { previousKpa }),
    ...(offsetK === null ? {} : { offsetK }),
    ...(previousK === null ? {} : { previousK }),
    reached: reached.parse(row.reached),
  }
}

/** Finds commands in scope by their ids. */
export async function findCommands(
  db: Database,
  scope: Scope,
  ids: readonly string[],
): Promise<readonly PlacedCommand[]> {
  const rows = await placedCommands(db, scope)
    .where('command.id', 'in', [...ids])
    .where(isServed('device.company_id'))
    .execute()
  const placed = new Map(rows.map((row) => [row.id, { command: toCommand(row), path: row.path }]))
  return ids.flatMap((id) => placed.get(id) ?? [])
}

/** Lists commands, newest first; those of one batch in the order of the request. Sorted by id, since ULIDs sort by time. */
export async function listCommands(
  db: Database,
  scope: Scope,
  query: CommandQuery,
): Promise<{ datalist: Command[]; total: number }> {
  const { paths, deviceIds, batchId, states, from, to, limiter } = query
  let matching = placedCommands(db, scope)
  if (paths) matching = matching.where(isDeviceBelow(paths))
  if (deviceIds) matching = matching.where('command.device_id', 'in', [...deviceIds])
  if (batchId !== undefined) matching = matching.where('command.batch_id', '=', batchId)
  if (states) matching = matching.where('command.state', 'in', [...states])
  if (from !== undefined) matching = matching.where('command.created_ms', '>=', from)
  if (to !== undefined) matching = matching.where('command.created_ms', '<', to)
  const [rows, counted] = await takeListTurn(() =>
    Promise.all([
      matching
        .orderBy('command.id', batchId === undefined ? 'desc' : 'asc')
        .limit(limiter.size)
        .offset((limiter.page - 1) * limiter.size)
        .execute(),
      matching
        .clearSelect()
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow(),
    ]),
  )
  return { datalist: rows.map(toCommand), total: counted.total }
}

/** The last command of each device, or the last of a kind. */
export async function listLastCommands(
  db: Database,
  scope: Scope,
  deviceIds: readonly number[],
  kind?: CommandKind,
): Promise<Command[]> {
  let ofThese = placedCommands(db, scope).where('command.device_id', 'in', [...deviceIds])
  if (kind) ofThese = ofThese.where('command.kind', '=', kind)
  const rows = await ofThese
    .distinctOn('command.device_id')
    .orderBy('command.device_id')
    .orderBy('command.id', 'desc')
    .execute()
  return rows.map(toCommand)
}
