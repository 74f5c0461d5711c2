import type { SensorSetting } from '@isotherm/contract/irrigation'
import type { Language } from '@isotherm/contract/locales/error-text'
import { transferSheet } from '@isotherm/contract/transfer'
import type { RawBuilder } from 'kysely'
import { CompiledQuery, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow, isDeviceBelow, isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import { type Scope, splitPaths } from '../../../platform/scope/scope.ts'
import { toWorkbook } from '../../../platform/spreadsheet/workbook-writer.ts'
import type { Tables } from '../../../platform/tables.ts'
import { allowLongStatements } from '../import/staging.pg.ts'
import { levelColumns } from '../sheets/columns.ts'
import { toValueSheet, type Values } from './workbooks.ts'

/** The part of a company to export. */
export interface ExportPart {
  readonly companyId: number
  readonly scope: Scope
  /** Paths of the subtrees to export; the root path for everything. */
  readonly paths: readonly string[]
  /** Whether the account may see irrigation. */
  readonly hasIrrigation: boolean
}

type Db = Transaction<Tables>

const ROWS_PER_FETCH = 1_000

/** Reads the rows of a query through a cursor, as the consumer requests them. */
async function* fetchRows<Row>(db: Db, name: string, query: RawBuilder<Row>): AsyncGenerator<Row> {
  const cursor = sql.id(name)
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(db)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_PER_FETCH)} from ${cursor}`.execute(db)
    if (rows.length === 0) break
    yield* rows
  }
  await sql`close ${cursor}`.execute(db)
}

interface NodeRow extends Values {
  /** Names and levels from the project down to the node. */
  readonly names: string
  readonly levels: readonly number[]
}

const levelNames = Object.entries(levelColumns) as [keyof typeof levelColumns, number][]

function toStructureRow({ names, levels, ...values }: NodeRow): Values {
  const parts = names.split(',')
  const placed = levelNames.flatMap(([column, level]) => {
    const index = levels.indexOf(level)
    return index < 0 ? [] : [[column, parts[index] ?? null] as const]
  })
  return { ...values, ...Object.fromEntries(placed) }
}

const isExportedNode = ({ companyId, scope, paths }: ExportPart) => sql`
  node.company_id = ${companyId} and ${isInScope('node.path', scope)} and ${isBelow('node.path', paths)}`

async function* readStructure(db: Db, part: ExportPart): AsyncGenerator<Values> {
  const query = sql<NodeRow>`
    select node.nestaddr as names, node.area_m2 as "areaM2", node.description, node.is_test as test, node.emitter,
      subdivision.stype, gis.longitude_deg as "longitudeDeg", gis.latitude_deg as "latitudeDeg",
      array(
        select above.level from node above where above.id = any(string_to_array(node.pids, ',')::bigint[])
        order by above.level)::integer[] || node.level::integer as levels
    from node
    left join subdivision on subdivision.node_id = node.id
    left join node_gis gis on gis.node_id = node.id
    where ${isExportedNode(part)}
    order by node.sort_path`
  for await (const row of fetchRows(db, 'exported_nodes', query)) yield toStructureRow(row)
}

const isExported = ({ companyId, scope, paths }: ExportPart) => sql`
  device.company_id = ${companyId} and device.retired_at is null
  and ${isDeviceInScope(scope)} and ${isDeviceBelow(paths)}`

/** Condition that a node is at or below `paths`, or has one of the devices in `paths`. */
function isPlaceBelow(paths: readonly string[]) {
  const { nodePaths, deviceIds } = splitPaths(paths)
  if (deviceIds.length === 0) return isBelow('node.path', nodePaths)
  return sql<SqlBool>`(${isBelow('node.path', nodePaths)} or node.id in (
    select node_id from device where id = any(${[...deviceIds]}::bigint[])))`
}

/** Nodes that may have exported devices, in tree order. */
const readPlaces = (
  db: Db,
  { companyId, scope, paths }: ExportPart,
): AsyncGenerator<{ readonly id: number }> =>
  fetchRows(
    db,
    'exported_places',
    sql`
      select node.id from node where node.company_id = ${companyId}
        and ${scope.kind === 'all' ? sql`true` : isPlaceBelow(scope.paths)} and ${isPlaceBelow(paths)}
      order by node.sort_path`,
  )

/** Columns of a stated characteristic in the format that imports read. */
const characteristicValues = sql`
  device.characteristic ->> 'kind' as curve, (device.characteristic -> 'kvsM3H')::float8 as "kvsM3H",
  (device.characteristic -> 'rangeability')::float8 as rangeability, (
    select string_agg((point ->> 'openingPct') || ':' || (point ->> 'kvM3H'), '; ' order by nr)
    from jsonb_array_elements(device.characteristic -> 'points') with ordinality given (point, nr)) as "curvePoints"`

const readDevicesAt = (db: Db, part: ExportPart, nodeIds: readonly number[]): AsyncGenerator<Values> =>
  fetchRows(
    db,
    'exported_devices',
    sql<Values>`
      select device.serial, device.kind, device.name, device.model, node.nestaddr as place,
        concentrator.serial as concentrator, device.period_s as "periodS", device.imei,
        device.meter_no as "meterNo", device.min_opening_pct as "minOpeningPct",
        device.max_opening_pct as "maxOpeningPct", ${characteristicValues}, device.description
      from device join node on node.id = device.node_id
      left join device concentrator on concentrator.id = device.concentrator_id and exists (
        select from device join node on node.id = device.node_id
        where device.id = concentrator.id and ${isDeviceInScope(part.scope)})
      where device.node_id = any(${[...nodeIds]}::bigint[]) and ${isExported(part)}
      order by node.sort_path, device.kind, device.serial`,
  )

/** Reads devices in batches of nodes. Sorting all devices of a company at once would delay the first row. */
async function* readDevices(db: Db, part: ExportPart): AsyncGenerator<Values> {
  let nodeIds: number[] = []
  for await (const { id } of readPlaces(db, part)) {
    nodeIds.push(id)
    if (nodeIds.length < ROWS_PER_FETCH) continue
    yield* readDevicesAt(db, part, nodeIds)
    nodeIds = []
  }
  if (nodeIds.length > 0) yield* readDevicesAt(db, part, nodeIds)
}

const readModels = (db: Db, part: ExportPart): AsyncGenerator<Values> =>
  fetchRows(
    db,
    'exported_models',
    sql<Values>`
      select kind, name as model, maker, description from device_model
      where (kind, name) in (
        select device.kind, device.model from device join node on node.id = device.node_id
        where ${isExported(part)})
      order by kind, name`,
  )

const isExportedPipe = ({ companyId, scope, paths }: ExportPart) => sql`
  pipe.company_id = ${companyId} and ${isInScope('from_node.path', scope)} and ${isInScope('to_node.path', scope)}
  and ${isBelow('from_node.path', paths)} and ${isBelow('to_node.path', paths)}`

const pipeEnds = sql`
  pipe join node from_node on from_node.id = pipe.from_node_id join node to_node on to_node.id = pipe.to_node_id`

const readPipes = (db: Db, part: ExportPart): AsyncGenerator<Values> =>
  fetchRows(
    db,
    'exported_pipes',
    sql<Values>`
      select from_node.nestaddr as "from", to_node.nestaddr as "to", pipe.length_m as "lengthM",
        pipe.inner_diameter_mm as "innerDiameterMm", pipe.material, pipe.roughness_mm as "roughnessMm",
        pipe.laid_year as "laidYear"
      from ${pipeEnds} where ${isExportedPipe(part)} order by from_node.sort_path, to_node.sort_path`,
  )

const isExportedSource = ({ companyId, scope, paths }: ExportPart) => sql`
  node.company_id = ${companyId} and ${isInScope('node.path', scope)} and ${isBelow('node.path', paths)}`

/** Serial of a device in use that a source names. */
const serialOf = (setting: 'stationId' | 'masterId' | SensorSetting) => sql`(
  select serial from device where id = (source.settings->>${sql.lit(setting)})::bigint and retired_at is null)`

const numberOf = (setting: string) => sql`(source.settings->${sql.lit(setting)})::float8`

async function* readSources(db: Db, part: ExportPart): AsyncGenerator<Values> {
  if (!part.hasIrrigation) return
  yield* fetchRows(
    db,
    'exported_sources',
    sql<Values>`
      select node.nestaddr as place, source.settings->>'name' as source,
        ${numberOf('capacityM3H')} as "capacityM3H", ${numberOf('dailyBudgetM3')} as "dailyBudgetM3",
        ${serialOf('stationId')} as controller, ${serialOf('masterId')} as master,
        ${serialOf('meterId')} as "flowMeter", ${serialOf('inletId')} as "inletSensor",
        ${serialOf('outletId')} as "outletSensor", ${serialOf('rainId')} as "rainSensor", ${numberOf('leadS')} as "leadS",
        ${numberOf('lagS')} as "lagS", ${numberOf('groupDelayS')} as "groupDelayS", ${numberOf('leakM3H')} as "leakM3H",
        ${numberOf('leakS')} as "leakS", (source.settings->'leakBlocks')::boolean as "leakBlocks",
        ${numberOf('dryRunS')} as "dryRunS", ${numberOf('minInletKpa')} as "minInletKpa",
        ${numberOf('longitude')} as "longitudeDeg", ${numberOf('latitude')} as "latitudeDeg",
        ${numberOf('altitudeM')} as "altitudeM",
        source.settings->>'afterOutage' as "afterOutage"
      from irrigation_source source join node on node.id = source.node_id
      where ${isExportedSource(part)} order by node.sort_path, source.id`,
  )
}

async function* readGroups(db: Db, part: ExportPart): AsyncGenerator<Values> {
  if (!part.hasIrrigation) return
  yield* fetchRows(
    db,
    'exported_groups',
    sql<Values>`
      select node.nestaddr as place, source.settings->>'name' as source, g.settings->>'name' as group,
        g.settings->>'mode' as mode, (g.settings->'wetPct')::float8 as "wetPct", (
          select string_agg(device.serial || ':' || (valve->>'flowM3H') || ':' || (valve->>'maxS'), '; ' order by nr)
          from jsonb_array_elements(g.settings->'valves') with ordinality given (valve, nr)
          join device on device.id = (valve->>'deviceId')::bigint and device.retired_at is null) as valves, (
          select string_agg(device.serial, '; ' order by nr)
          from jsonb_array_elements_text(g.settings->'probeIds') with ordinality given (probe, nr)
          join device on device.id = probe::bigint and device.retired_at is null) as probes
      from irrigation_group g join irrigation_source source on source.id = g.source_id
      join node on node.id = source.node_id
      where ${isExportedSource(part)} order by node.sort_path, source.id, g.id`,
  )
}

const readers = {
  models: readModels,
  structure: readStructure,
  devices: readDevices,
  pipes: readPipes,
  'irrigation-sources': readSources,
  'irrigation-groups': readGroups,
} as const

/** Returns the row count (without headings) of a sheet that would have more than `most` rows, undefined if none does. */
export async function findOverlongSheet(
  db: Database,
  part: ExportPart,
  most: number,
): Promise<number | undefined> {
  const counts = [
    sql<{ count: number }>`select count(*) from node where ${isExportedNode(part)}`,
    sql<{ count: number }>`select count(*) from ${pipeEnds} where ${isExportedPipe(part)}`,
    // Counted last: it takes about one second per million devices.
    sql<{ count: number }>`
      select count(*) from device join node on node.id = device.node_id where ${isExported(part)}`,
  ]
  for (const count of counts) {
    const { rows } = await count.execute(db)
    if (rows[0] && rows[0].count > most) return rows[0].count
  }
  return undefined
}

/** Exports a part of a company as a workbook, from one snapshot. Rows are read as fast as the client downloads. */
export async function* exportPart(
  db: Database,
  part: ExportPart,
  language: Language,
): AsyncGenerator<Buffer> {
  const transaction = await db.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    // The client may download slowly.
    await transaction.executeQuery(
      CompiledQuery.raw("set local idle_in_transaction_session_timeout = '10min'"),
    )
    await allowLongStatements(transaction)
    yield* toWorkbook(
      transferSheet.options.map((sheet) => toValueSheet(language, sheet, readers[sheet](transaction, part))),
    )
  } finally {
    await transaction.rollback().execute()
  }
}
