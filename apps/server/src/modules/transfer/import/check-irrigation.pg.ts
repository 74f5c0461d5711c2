import { isDeepStrictEqual } from 'node:util'
import type { RowVerdict } from '@isotherm/contract/transfer'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { SettingsWriter } from '../../irrigation/index.ts'
import type { GroupRow, IrrigationRow, SourceRow } from '../sheets/parsed-rows.ts'
import { type Fault, toFault } from '../sheets/texts.ts'
import type { Run } from './check-structure.pg.ts'
import {
  findSerials,
  listSerials,
  type NamedDevice,
  readIrrigation,
  type StagedIrrigation,
  toGroupSettings,
  toSourceSettings,
} from './irrigation-rows.pg.ts'
import { failRows } from './staging.pg.ts'

type Db = Transaction<Tables>

interface Judgement {
  readonly verdict: Exclude<RowVerdict, 'failed'>
  readonly version: number | null
}

type Devices = ReadonlyMap<string, NamedDevice>

/** The id of a device that the import has yet to add: it is like no stored one. */
const NOT_YET = -1
const idIn =
  (devices: Devices) =>
  (serial: string): number =>
    devices.get(serial)?.id ?? NOT_YET

/** Whether a node at a place, or below it. */
const isBelow = (place: string, upper: string): boolean => place === upper || place.startsWith(`${upper},`)

/** Whether all devices of a row exist where they will be. */
const areSettled = (devices: Devices): boolean => [...devices.values()].every(({ isSettled }) => isSettled)

/** The fault of the first device of a row that is not there, of another kind, or not below the place of the row. */
function findDeviceFault({ parsed, place }: StagedIrrigation, devices: Devices): Fault | undefined {
  for (const [serial, kind] of listSerials(parsed)) {
    const device = devices.get(serial)
    if (!device || device.kind !== kind || !isBelow(device.place, place))
      return toFault('irrigation.no-device', { serial })
  }
  return undefined
}

/** Runs checks of the settings; returns the fault of a failed one. */
async function findRefusal(work: () => Promise<unknown>): Promise<Fault | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return toFault(error.code, error.params)
  }
}

const judge = (
  stored: { readonly settings: object; readonly version: number } | undefined,
  settings: object,
): Judgement =>
  stored
    ? {
        verdict: isDeepStrictEqual({ ...stored.settings }, { ...settings }) ? 'unchanged' : 'changed',
        version: stored.version,
      }
    : { verdict: 'added', version: null }

/**
 * Checks rows of sources and groups. The checks of settings need existing devices: for a row with devices that this import adds or
 * moves, they follow when the row is stored.
 */
export async function checkIrrigation(db: Db, run: Run, writer: SettingsWriter): Promise<void> {
  /** The source, by place and name, that each master valve of the rows of this import belongs to, by serial. */
  const masterOf = new Map<string, string>()
  const sourcesOfFile = new Set<string>()
  const toKey = (place: string, source: string): string => `${place}\n${source}`

  async function judgeSource(
    staged: StagedIrrigation<SourceRow>,
    devices: Devices,
  ): Promise<Judgement | Fault> {
    const { parsed, path, place } = staged
    const stored = path === null ? undefined : await writer.findSource(db, run, path, parsed.source)
    const settings = toSourceSettings(stored?.settings, parsed, idIn(devices))
    if (!settings) return toFault('source.incomplete')
    const key = toKey(place, parsed.source)
    const user = parsed.master === null ? undefined : masterOf.get(parsed.master)
    if (parsed.master !== null && user !== undefined && user !== key)
      return toFault('irrigation.valve-used', { device: parsed.master })
    const refusal =
      path !== null && areSettled(devices)
        ? await findRefusal(() => writer.checkSource(db, run, { path, stored, settings }))
        : undefined
    if (refusal) return refusal
    sourcesOfFile.add(key)
    if (parsed.master !== null) masterOf.set(parsed.master, key)
    return judge(stored, settings)
  }

  async function judgeGroup(
    staged: StagedIrrigation<GroupRow>,
    devices: Devices,
  ): Promise<Judgement | Fault> {
    const { parsed, path, place } = staged
    const key = toKey(place, parsed.source)
    const source = path === null ? undefined : await writer.findSource(db, run, path, parsed.source)
    if (!source && !sourcesOfFile.has(key)) return toFault('group.no-source', { source: parsed.source })
    const master = parsed.valves?.find(({ serial }) => masterOf.has(serial))
    if (master) return toFault('irrigation.valve-used', { device: master.serial })
    const stored = source?.groups.find(({ settings }) => settings.name === parsed.group)
    const settings = toGroupSettings(stored?.settings, parsed, idIn(devices))
    if (!settings) return toFault('group.incomplete')
    const refusal =
      source && areSettled(devices)
        ? await findRefusal(() => writer.checkGroup(db, run, { source, settings }))
        : undefined
    return refusal ?? judge(stored, settings)
  }

  async function save(
    sheet: IrrigationRow['sheet'],
    valid: readonly (Judgement & { readonly row: number })[],
  ): Promise<void> {
    const given = sql`jsonb_to_recordset(${JSON.stringify(valid)}::jsonb) given (row integer, verdict text, version integer)`
    await sql`
      update transfer_row r set verdict = given.verdict from ${given}
      where r.transfer_id = ${run.id} and r.sheet = ${sheet} and r.row = given.row`.execute(db)
    await sql`
      update transfer_irrigation r set version = given.version from ${given}
      where r.transfer_id = ${run.id} and r.sheet = ${sheet} and r.row = given.row`.execute(db)
  }

  async function checkRows<Row extends IrrigationRow>(
    sheet: Row['sheet'],
    judgeRow: (staged: StagedIrrigation<Row>, devices: Devices) => Promise<Judgement | Fault>,
  ): Promise<void> {
    const rows = await readIrrigation<Row>(db, run, sheet)
    const serialsOf = ({ parsed }: StagedIrrigation) => listSerials(parsed).map(([serial]) => serial)
    const known = await findSerials(db, run, [...new Set(rows.flatMap(serialsOf))])
    const valid: (Judgement & { readonly row: number })[] = []
    for (const staged of rows) {
      const found = serialsOf(staged).flatMap((serial) => known.get(serial) ?? [])
      const devices = new Map(found.map((device) => [device.serial, device]))
      const fault = staged.isThere ? findDeviceFault(staged, devices) : toFault('node.not-found')
      const judged = fault ?? (await judgeRow(staged, devices))
      if ('code' in judged) await failRows(db, run.id, sheet, [staged.row], judged)
      else valid.push({ row: staged.row, ...judged })
    }
    await save(sheet, valid)
  }

  await checkRows<SourceRow>('irrigation-sources', judgeSource)
  await checkRows<GroupRow>('irrigation-groups', judgeGroup)
}
