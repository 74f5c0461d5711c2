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
  /** Master valves by the place and name of their sources, by the rows of this import. */
  const masters = new Map<string, string>()
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
    const refusal =
      path !== null && areSettled(devices)
        ? await findRefusal(() => writer.checkSource(db, run, { path, stored, settings }))
        : undefined
    if (refusal) return refusal
    sourcesOfFile.add(toKey(place, parsed.source))
    if (parsed.master !== null) masters.set(toKey(place, parsed.source), parsed.master)
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
    const master = masters.get(key)
    if (master !== undefined && parsed.valves?.some(({ serial }) => serial === master))
      return toFault('irrigation.valve-used', { device: master })
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
    { row, parsed: { sheet } }: StagedIrrigation,
    judged: Judgement | Fault,
  ): Promise<void> {
    if ('code' in judged) return failRows(db, run.id, sheet, [row], judged)
    await sql`
      update transfer_row set verdict = ${judged.verdict}
      where transfer_id = ${run.id} and sheet = ${sheet} and row = ${row}`.execute(db)
    await sql`
      update transfer_irrigation set version = ${judged.version}
      where transfer_id = ${run.id} and sheet = ${sheet} and row = ${row}`.execute(db)
  }

  async function checkRows<Row extends IrrigationRow>(
    sheet: Row['sheet'],
    judgeRow: (staged: StagedIrrigation<Row>, devices: Devices) => Promise<Judgement | Fault>,
  ): Promise<void> {
    for (const staged of await readIrrigation<Row>(db, run, sheet)) {
      const serials = listSerials(staged.parsed).map(([serial]) => serial)
      const devices = serials.length === 0 ? new Map() : await findSerials(db, run, serials)
      const fault = staged.isThere ? findDeviceFault(staged, devices) : toFault('node.not-found')
      await save(staged, fault ?? (await judgeRow(staged, devices)))
    }
  }

  await checkRows<SourceRow>('irrigation-sources', judgeSource)
  await checkRows<GroupRow>('irrigation-groups', judgeGroup)
}
