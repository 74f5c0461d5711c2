import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { SettingsWriter } from '../../irrigation/index.ts'
import { markStored } from '../runs/progress.pg.ts'
import type { GroupRow, IrrigationRow, SourceRow } from '../sheets/parsed-rows.ts'
import { toFault } from '../sheets/texts.ts'
import type { Run } from './check-structure.pg.ts'
import {
  findSerials,
  listSerials,
  readIrrigation,
  type StagedIrrigation,
  toGroupSettings,
  toSourceSettings,
} from './irrigation-rows.pg.ts'
import { failRows } from './staging.pg.ts'

type Db = Transaction<Tables>

/** Selects rows of sources or groups to store. */
export async function pickIrrigation(
  db: Db,
  { id }: Run,
  sheet: IrrigationRow['sheet'],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select row from transfer_row where transfer_id = ${id} and sheet = ${sheet}
      and verdict in ('added', 'changed') and not is_stored order by row limit ${limit}`.execute(db)
  return rows.map(({ row }) => row)
}

/** Ids of the devices of a row by serial. Throws device.not-found. */
async function findIds(db: Db, run: Run, parsed: IrrigationRow): Promise<(serial: string) => number> {
  const serials = listSerials(parsed).map(([serial]) => serial)
  const devices = serials.length === 0 ? new Map() : await findSerials(db, run, serials)
  return (serial) => {
    const id = devices.get(serial)?.id
    if (id == null) throw new AppError('device.not-found')
    return id
  }
}

/** Locks the controllers and sensors that rows name, before any source is locked. */
async function lockNamed(
  db: Db,
  run: Run,
  writer: SettingsWriter,
  rows: readonly StagedIrrigation<IrrigationRow>[],
): Promise<void> {
  const named = rows.flatMap(({ parsed }) => listSerials(parsed)).filter(([, kind]) => kind !== 'valve')
  const devices = await findSerials(db, run, [...new Set(named.map(([serial]) => serial))])
  await writer.lockDevices(
    db,
    run.scope,
    [...devices.values()].map(({ id }) => id ?? undefined),
  )
}

/** Throws entity.stale if a row was checked against another version. */
function requireSame(version: number | null, stored: { readonly version: number } | undefined): void {
  if ((stored?.version ?? null) !== version) throw new AppError('entity.stale')
}

async function storeSource(
  db: Db,
  run: Run,
  writer: SettingsWriter,
  { parsed, path, version }: StagedIrrigation<SourceRow>,
): Promise<void> {
  if (path === null) throw new AppError('node.not-found')
  const stored = await writer.lockSource(db, run, path, parsed.source)
  requireSame(version, stored)
  const settings = toSourceSettings(stored?.settings, parsed, await findIds(db, run, parsed))
  if (!settings) throw new AppError('entity.stale')
  await writer.writeSource(db, run, { path, stored, settings, id: stored?.id, version: stored?.version })
}

async function storeGroup(
  db: Db,
  run: Run,
  writer: SettingsWriter,
  { parsed, path, version }: StagedIrrigation<GroupRow>,
): Promise<void> {
  const source = path === null ? undefined : await writer.lockSource(db, run, path, parsed.source)
  if (!source) throw new AppError('irrigation.not-found')
  const stored = source.groups.find(({ settings }) => settings.name === parsed.group)
  requireSame(version, stored)
  const settings = toGroupSettings(stored?.settings, parsed, await findIds(db, run, parsed))
  if (!settings) throw new AppError('entity.stale')
  await writer.writeGroup(db, run, { source, settings, id: stored?.id, version: stored?.version })
}

/**
 * Stores sources or groups with the checks of their calls. An empty cell leaves the stored value unchanged. Throws the error of a row
 * that cannot be stored.
 */
export async function storeIrrigation(
  db: Db,
  run: Run,
  writer: SettingsWriter,
  sheet: IrrigationRow['sheet'],
  rows: readonly number[],
): Promise<void> {
  if (sheet === 'irrigation-sources') {
    const all = await readIrrigation<SourceRow>(db, run, sheet, rows)
    await lockNamed(db, run, writer, all)
    for (const staged of all) await storeSource(db, run, writer, staged)
  } else {
    const all = await readIrrigation<GroupRow>(db, run, sheet, rows)
    await lockNamed(db, run, writer, all)
    for (const staged of all) await storeGroup(db, run, writer, staged)
  }
  await markStored(db, run.id, sheet, rows)
}

/** Marks a row that could not be stored as failed, with the reason of the check that refused it. */
export async function dropIrrigation(
  db: Db,
  { id }: Run,
  sheet: IrrigationRow['sheet'],
  row: number,
  error: unknown,
): Promise<void> {
  const isReason = error instanceof AppError && error.code !== 'entity.stale'
  await failRows(db, id, sheet, [row], isReason ? toFault(error.code, error.params) : toFault('row.conflict'))
}
