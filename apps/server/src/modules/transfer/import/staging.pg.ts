import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { parseRow, toSubject } from '../sheets/parse-row.ts'
import type {
  DeviceRow,
  IrrigationRow,
  ModelRow,
  ParsedRow,
  PipeRow,
  StructureRow,
} from '../sheets/parsed-rows.ts'
import type { ReadRow } from '../sheets/read-rows.ts'
import { type Fault, toFault } from '../sheets/texts.ts'

type Db = Transaction<Tables>

/** A valid row with its number in the workbook. */
interface NumberedRow<Row> {
  readonly row: number
  readonly parsed: Row
}

/** Sheets that the account may import. */
export type OpenSheets = ReadonlySet<ParsedRow['sheet']>

const isFault = (parsed: ParsedRow | Fault): parsed is Fault => 'code' in parsed

/** A list of records as one JSON parameter: one statement for any number of rows and columns. */
const toJson = (records: readonly unknown[]) => sql`${JSON.stringify(records)}::jsonb`

async function saveRows(db: Db, id: number, rows: readonly (ReadRow & { fault: Fault | undefined })[]) {
  const records = rows.map(({ sheet, row, cells, fault }) => ({
    sheet,
    row,
    cells,
    subject: toSubject(sheet, cells),
    verdict: fault ? 'failed' : null,
    reason: fault?.code ?? null,
    reason_params: fault?.params ?? {},
  }))
  await sql`
    insert into transfer_row (transfer_id, sheet, row, cells, subject, verdict, reason, reason_params)
    select ${id}, sheet, row, cells, subject, verdict, reason, reason_params
    from jsonb_to_recordset(${toJson(records)}) given (sheet text, row integer, cells jsonb, subject text,
      verdict text, reason text, reason_params jsonb)
    on conflict (transfer_id, sheet, row) do nothing`.execute(db)
}

/** Marks rows of a sheet as failed. */
export async function failRows(
  db: Db,
  id: number,
  sheet: ParsedRow['sheet'],
  rows: readonly number[],
  { code, params }: Fault,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update transfer_row set verdict = 'failed', reason = ${code}, reason_params = ${JSON.stringify(params)}::jsonb
    where transfer_id = ${id} and sheet = ${sheet} and row = any(${[...rows]}::integer[])`.execute(db)
}

interface StagedPlace {
  readonly place: string
  readonly depth: number
  readonly parent: string | null
  readonly name: string
  readonly level: number | null
}

const join = (names: readonly string[]): string => names.join(',')

const toPlaces = (
  parts: readonly { readonly name: string; readonly level: number | null }[],
): StagedPlace[] => {
  const names = parts.map(({ name }) => name)
  return parts.map(({ name, level }, index) => ({
    name,
    level,
    depth: index + 1,
    place: join(names.slice(0, index + 1)),
    parent: index === 0 ? null : join(names.slice(0, index)),
  }))
}

/** Saves places. The first row that gives the level of a place decides it. */
async function savePlaces(db: Db, id: number, places: readonly StagedPlace[]): Promise<void> {
  const byPlace = new Map<string, StagedPlace>()
  for (const place of places) {
    const known = byPlace.get(place.place)
    if (!known || known.level === null) byPlace.set(place.place, place)
  }
  await sql`
    insert into transfer_node (transfer_id, place, depth, parent, name, level)
    select ${id}, place, depth, parent, name, level
    from jsonb_to_recordset(${toJson([...byPlace.values()])}) given (place text, depth smallint, parent text,
      name text, level smallint)
    order by place collate "C"
    on conflict (transfer_id, place) do update set level = excluded.level
    where transfer_node.level is null and excluded.level is not null`.execute(db)
}

async function readLevels(
  db: Db,
  id: number,
  places: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const { rows } = await sql<{ place: string; level: number | null }>`
    select place, level from transfer_node
    where transfer_id = ${id} and place = any(${[...new Set(places)]}::text[])`.execute(db)
  return new Map(rows.map(({ place, level }) => [place, level]))
}

async function stageStructure(db: Db, id: number, rows: readonly NumberedRow<StructureRow>[]): Promise<void> {
  const placed = rows.map(({ row, parsed }) => ({ row, parsed, places: toPlaces(parsed.parts) }))
  const all = placed.flatMap(({ places }) => places)
  await savePlaces(db, id, all)
  const levels = await readLevels(
    db,
    id,
    all.map(({ place }) => place),
  )
  const fits = placed.filter(({ places }) => places.every(({ place, level }) => levels.get(place) === level))
  const misfits = placed.filter((each) => !fits.includes(each)).map(({ row }) => row)
  await failRows(db, id, 'structure', misfits, toFault('row.other-level'))
  const records = fits.map(({ row, parsed, places }) => ({
    row,
    place: places.at(-1)?.place,
    area_m2: parsed.areaM2,
    stype: parsed.stype,
    description: parsed.description,
    is_test: parsed.isTest,
    longitude_deg: parsed.longitudeDeg,
    latitude_deg: parsed.latitudeDeg,
    emitter: parsed.emitter,
  }))
  const taken = await sql<{ row: number }>`
    update transfer_node t set row = given.row, area_m2 = given.area_m2, stype = given.stype,
      description = given.description, is_test = given.is_test,
      longitude_deg = given.longitude_deg, latitude_deg = given.latitude_deg, emitter = given.emitter
    from (
      select distinct on (place) * from jsonb_to_recordset(${toJson(records)}) given (row integer, place text,
        area_m2 double precision, stype text, description text, is_test boolean,
        longitude_deg double precision, latitude_deg double precision, emitter text)
      order by place, row) given
    where t.transfer_id = ${id} and t.place = given.place and t.row is null
    returning t.row`.execute(db)
  const own = new Set(taken.rows.map(({ row }) => row))
  const second = fits.map(({ row }) => row).filter((row) => !own.has(row))
  await failRows(db, id, 'structure', second, toFault('row.twice'))
}

async function stageDevices(db: Db, id: number, rows: readonly NumberedRow<DeviceRow>[]): Promise<void> {
  const places = rows.flatMap(({ parsed }) =>
    toPlaces((parsed.place ?? []).map((name) => ({ name, level: null }))),
  )
  await savePlaces(db, id, places)
  const records = rows.map(({ row, parsed }) => ({
    row,
    serial: parsed.serial,
    kind: parsed.kind,
    name: parsed.name,
    model: parsed.model,
    place: parsed.place && join(parsed.place),
    concentrator: parsed.concentrator,
    period_s: parsed.periodS,
    imei: parsed.imei,
    meter_no: parsed.meterNo,
    min_opening_pct: parsed.minOpeningPct,
    max_opening_pct: parsed.maxOpeningPct,
    characteristic: parsed.characteristic,
    description: parsed.description,
  }))
  const taken = await sql<{ row: number }>`
    insert into transfer_device (transfer_id, row, serial, kind, name, model, place, concentrator, period_s, imei,
      meter_no, min_opening_pct, max_opening_pct, characteristic, description)
    select ${id}, * from jsonb_to_recordset(${toJson(records)}) given (row integer, serial text, kind text,
      name text, model text, place text, concentrator text, period_s double precision, imei text, meter_no text,
      min_opening_pct double precision, max_opening_pct double precision, characteristic jsonb, description text)
    order by row
    on conflict do nothing returning row`.execute(db)
  const own = new Set(taken.rows.map(({ row }) => row))
  const second = rows.map(({ row }) => row).filter((row) => !own.has(row))
  await failRows(db, id, 'devices', second, toFault('row.twice'))
}

async function stageModels(db: Db, id: number, rows: readonly NumberedRow<ModelRow>[]): Promise<void> {
  const records = rows.map(({ row, parsed: { sheet: _, ...model } }) => ({ row, ...model }))
  const taken = await sql<{ row: number }>`
    insert into transfer_model (transfer_id, row, kind, name, maker, description)
    select ${id}, * from jsonb_to_recordset(${toJson(records)}) given (row integer, kind text, name text,
      maker text, description text)
    order by row
    on conflict do nothing returning row`.execute(db)
  const own = new Set(taken.rows.map(({ row }) => row))
  const second = rows.map(({ row }) => row).filter((row) => !own.has(row))
  await failRows(db, id, 'models', second, toFault('row.twice'))
}

async function stagePipes(db: Db, id: number, rows: readonly NumberedRow<PipeRow>[]): Promise<void> {
  const ends = rows.flatMap(({ parsed: { from, to } }) => [from, to])
  await savePlaces(
    db,
    id,
    ends.flatMap((names) => toPlaces(names.map((name) => ({ name, level: null })))),
  )
  const records = rows.map(({ row, parsed }) => ({
    row,
    from_place: join(parsed.from),
    to_place: join(parsed.to),
    material: parsed.material,
    length_m: parsed.lengthM,
    inner_diameter_mm: parsed.innerDiameterMm,
    roughness_mm: parsed.roughnessMm,
    laid_year: parsed.laidYear,
  }))
  const taken = await sql<{ row: number }>`
    insert into transfer_pipe (transfer_id, row, from_place, to_place, length_m, inner_diameter_mm, material,
      roughness_mm, laid_year)
    select ${id}, * from jsonb_to_recordset(${toJson(records)}) given (row integer, from_place text, to_place text,
      length_m double precision, inner_diameter_mm double precision, material text,
      roughness_mm double precision, laid_year smallint)
    order by row
    on conflict do nothing returning row`.execute(db)
  const own = new Set(taken.rows.map(({ row }) => row))
  const second = rows.map(({ row }) => row).filter((row) => !own.has(row))
  await failRows(db, id, 'pipes', second, toFault('row.twice'))
}

async function stageIrrigation(
  db: Db,
  id: number,
  sheet: IrrigationRow['sheet'],
  rows: readonly NumberedRow<IrrigationRow>[],
): Promise<void> {
  await savePlaces(
    db,
    id,
    rows.flatMap(({ parsed: { place } }) => toPlaces(place.map((name) => ({ name, level: null })))),
  )
  const records = rows.map(({ row, parsed }) => ({
    row,
    parsed,
    place: join(parsed.place),
    source: parsed.source,
    name: parsed.sheet === 'irrigation-groups' ? parsed.group : '',
  }))
  const taken = await sql<{ row: number }>`
    insert into transfer_irrigation (transfer_id, sheet, row, parsed, place, source, name)
    select ${id}, ${sheet}, * from jsonb_to_recordset(${toJson(records)}) given (row integer, parsed jsonb,
      place text, source text, name text)
    order by row
    on conflict do nothing returning row`.execute(db)
  const own = new Set(taken.rows.map(({ row }) => row))
  const second = rows.map(({ row }) => row).filter((row) => !own.has(row))
  await failRows(db, id, sheet, second, toFault('row.twice'))
}

const STAGED = [
  'transfer_row',
  'transfer_node',
  'transfer_device',
  'transfer_model',
  'transfer_pipe',
  'transfer_irrigation',
] as const

/** Removes the rows staged before. The transaction must have locked the run. */
export async function clearStaging(db: Db, id: number): Promise<void> {
  for (const table of STAGED) {
    await db.deleteFrom(table).where('transfer_id', '=', id).execute()
  }
}

/** Parses and saves rows of the workbook. An invalid row is saved with its fault. */
export async function stageRows(
  db: Db,
  id: number,
  open: OpenSheets,
  rows: readonly ReadRow[],
): Promise<void> {
  const parsedRows = rows.map((row) => {
    const parsed = open.has(row.sheet) ? parseRow(row.sheet, row.cells) : toFault('access.denied')
    return { ...row, parsed, fault: isFault(parsed) ? parsed : undefined }
  })
  await saveRows(db, id, parsedRows)
  const structure: NumberedRow<StructureRow>[] = []
  const devices: NumberedRow<DeviceRow>[] = []
  const models: NumberedRow<ModelRow>[] = []
  const pipes: NumberedRow<PipeRow>[] = []
  const irrigation = new Map<IrrigationRow['sheet'], NumberedRow<IrrigationRow>[]>()
  for (const { row, parsed } of parsedRows) {
    if (isFault(parsed)) continue
    if (parsed.sheet === 'structure') structure.push({ row, parsed })
    else if (parsed.sheet === 'devices') devices.push({ row, parsed })
    else if (parsed.sheet === 'pipes') pipes.push({ row, parsed })
    else if (parsed.sheet === 'models') models.push({ row, parsed })
    else irrigation.set(parsed.sheet, [...(irrigation.get(parsed.sheet) ?? []), { row, parsed }])
  }
  if (models.length > 0) await stageModels(db, id, models)
  if (structure.length > 0) await stageStructure(db, id, structure)
  if (devices.length > 0) await stageDevices(db, id, devices)
  if (pipes.length > 0) await stagePipes(db, id, pipes)
  for (const [sheet, given] of irrigation) await stageIrrigation(db, id, sheet, given)
}

/** Updates the planner statistics of the staging tables. */
export async function analyseStaging(db: Database): Promise<void> {
  await sql`analyze transfer_row, transfer_node, transfer_device, transfer_model, transfer_pipe,
    transfer_irrigation`.execute(db)
}

/** Raises the statement timeout: a statement about all rows of a large file takes longer than the default allows. */
export async function allowLongStatements(db: Db): Promise<void> {
  await sql`set local statement_timeout = '5min'`.execute(db)
}
