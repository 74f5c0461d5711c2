import type { IrrigationGroupSettings, IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import { sql, type Transaction } from 'kysely'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { GroupRow, IrrigationRow, SourceRow } from '../sheets/parsed-rows.ts'
import type { Run } from './check-structure.pg.ts'

type Db = Transaction<Tables>

/** A staged row of irrigation with its place in the tree. */
export interface StagedIrrigation<Row extends IrrigationRow = IrrigationRow> {
  readonly row: number
  readonly parsed: Row
  readonly place: string
  /** Path of the existing node at the place; null if there is none yet. */
  readonly path: string | null
  /** Whether the place exists and is granted, or is added by this import. */
  readonly isThere: boolean
  /** Version of the source or group at the time of the check; null if there was none. */
  readonly version: number | null
}

/** Reads staged rows of a sheet that have not failed; with `rows` only these. */
export async function readIrrigation<Row extends IrrigationRow>(
  db: Db,
  { id }: Run,
  sheet: Row['sheet'],
  only?: readonly number[],
): Promise<readonly StagedIrrigation<Row>[]> {
  const { rows } = await sql<StagedIrrigation<Row>>`
    select given.row, given.parsed, given.place, given.version, node.path,
      place.fault is null and place.is_open and (place.node_id is not null or place.is_wanted) as "isThere"
    from transfer_irrigation given
    join transfer_node place on place.transfer_id = given.transfer_id and place.place = given.place
    left join node on node.id = place.node_id
    join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = given.sheet and r.row = given.row
      and r.verdict is distinct from 'failed'
    where given.transfer_id = ${id} and given.sheet = ${sheet}
      and ${only ? sql`given.row = any(${[...only]}::integer[])` : sql`true`}
    order by given.row`.execute(db)
  return rows
}

/** A device that a row of irrigation names. */
export interface NamedDevice {
  /** null: this import adds it. */
  readonly id: number | null
  readonly serial: string
  readonly kind: string
  /** Names from the project down to its node; that of the import, if it moves the device. */
  readonly place: string
  /** Whether it exists, and the import neither moves it nor changes its model, by which it is suited. */
  readonly isSettled: boolean
}

/** Granted devices in use, and those of valid rows of the import, by serial. */
export async function findSerials(
  db: Db,
  { id, companyId, scope }: Run,
  serials: readonly string[],
): Promise<ReadonlyMap<string, NamedDevice>> {
  const { rows } = await sql<NamedDevice>`
    select known.id, coalesce(known.serial, given.serial) as serial,
      coalesce(known.kind, given.kind) as kind, coalesce(given.place, known.place) as place,
      known.id is not null and coalesce(given.place, known.place) = known.place
        and coalesce(given.model, known.model) = known.model as "isSettled"
    from (
      select device.id, device.serial, device.kind, device.model, node.nestaddr as place
      from device join node on node.id = device.node_id
      where device.company_id = ${companyId} and device.serial = any(${[...serials]}::text[])
        and device.retired_at is null and ${isDeviceInScope(scope)}) known
    full join (
      select given.serial, given.kind, given.model, given.place
      from transfer_device given
      join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = 'devices' and r.row = given.row
        and r.verdict <> 'failed'
      where given.transfer_id = ${id} and given.serial = any(${[...serials]}::text[])) given
    on given.serial = known.serial`.execute(db)
  return new Map(rows.map((row) => [row.serial, row]))
}

/** The columns of the sensors of a source. */
const sensorColumns = ['flowMeter', 'inletSensor', 'outletSensor', 'rainSensor'] as const

/** The serials that a row names, each with the kind that the device must have. */
export const listSerials = (
  parsed: IrrigationRow,
): readonly (readonly [string, 'valve' | 'station' | 'sensor'])[] =>
  parsed.sheet === 'irrigation-groups'
    ? [
        ...(parsed.valves ?? []).map(({ serial }) => [serial, 'valve'] as const),
        ...(parsed.probes ?? []).map((serial) => [serial, 'sensor'] as const),
      ]
    : [
        ...(parsed.controller === null ? [] : [[parsed.controller, 'station'] as const]),
        ...(parsed.master === null ? [] : [[parsed.master, 'valve'] as const]),
        ...sensorColumns.flatMap((column) => {
          const serial = parsed[column]
          return serial == null ? [] : [[serial, 'sensor'] as const]
        }),
      ]

type IdOf = (serial: string) => number

/** What a row gives, without its empty cells. */
function toGiven<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof Values]?: NonNullable<Values[Name]> }
}

/** The usual values of a new source, as its form proposes them. */
const usual = { leadS: 10, groupDelayS: 10, afterOutage: 'resume' } as const

/** Settings of a source after a row; undefined if a new one lacks its capacity. */
export function toSourceSettings(
  stored: IrrigationSourceSettings | undefined,
  {
    sheet: _,
    place: __,
    source: name,
    controller,
    master,
    flowMeter,
    inletSensor,
    outletSensor,
    rainSensor,
    ...values
  }: SourceRow,
  idOf: IdOf,
): IrrigationSourceSettings | undefined {
  const find = (serial: string | null | undefined) => (serial == null ? null : idOf(serial))
  const devices = toGiven({
    stationId: find(controller),
    masterId: find(master),
    meterId: find(flowMeter),
    inletId: find(inletSensor),
    outletId: find(outletSensor),
    rainId: find(rainSensor),
  })
  const { capacityM3H = stored?.capacityM3H, ...given } = toGiven(values)
  return capacityM3H === undefined
    ? undefined
    : { ...usual, ...stored, ...given, ...devices, name, capacityM3H }
}

/** Settings of a group after a row; undefined if a new one lacks its valves. */
export function toGroupSettings(
  stored: IrrigationGroupSettings | undefined,
  { group: name, mode, valves: given, wetPct, probes }: GroupRow,
  idOf: IdOf,
): IrrigationGroupSettings | undefined {
  const valves =
    given?.map(({ serial, ...valve }) => ({ ...valve, deviceId: idOf(serial) })) ?? stored?.valves
  return (
    valves && {
      mode: 'sequential',
      ...stored,
      ...toGiven({ mode, wetPct, probeIds: probes?.map(idOf) }),
      name,
      valves,
    }
  )
}
