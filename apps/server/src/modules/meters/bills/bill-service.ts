import type { InputOf } from '@isotherm/contract/endpoint'
import type { exportHeatBills } from '@isotherm/contract/endpoints/monitoring/meters'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { FileAnswer } from '../../../platform/http/handlers.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { CSV_TYPE, toCsvFile } from '../../../platform/spreadsheet/csv-writer.ts'
import { type Cell, SHEET_ROWS, toWorkbook } from '../../../platform/spreadsheet/workbook-writer.ts'
import { createReaderSlots } from '../../../platform/tasks/reader-slots.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { toDays, untilToday } from '../queries/day-range.ts'
import type { HeatCounter } from '../queries/heat-counter.ts'
import { findAt, listMeters } from '../queries/meter-places.ts'
import { type DayRange, toDate } from '../registers/plant-days.ts'
import { sumHeat } from '../registers/sum-heat.ts'
import { countHeated, getHeated, listHeatedPaths, readMeterNames } from '../store/nodes.pg.ts'
import { type BilledHousehold, billTexts, toBillRow, toHeadings } from './bill-row.ts'

export interface BillNeeds {
  readonly db: Database
  readonly directory: Pick<DeviceDirectory, 'below'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly counter: HeatCounter
  readonly today: () => number
}

export interface BillService {
  /** One export at a time per account. Throws request.too-many, transfer.too-many-rows. */
  exportBills(call: Call, input: InputOf<typeof exportHeatBills>): Promise<FileAnswer>
}

const MAX_EXPORTS = 2
const HOUSEHOLDS_AT_ONCE = 500
const WIDTHS = [44, 10, 18, 12, 12, 10, 14, 14, 14, 14, 14, 10, 14, 14, 14, 30]

export function createBillService({ db, directory, network, counter, today }: BillNeeds): BillService {
  const slots = createReaderSlots(MAX_EXPORTS)

  /** Households in the order of the tree. The paths are read once, so that a change meanwhile moves no household. */
  async function* readHouseholds(paths: readonly string[], range: DayRange): AsyncGenerator<BilledHousehold> {
    const meters = await listMeters(directory, paths)
    const all = await listHeatedPaths(db, { paths, level: 'household', text: '' })
    for (let start = 0; start < all.length; start += HOUSEHOLDS_AT_ONCE) {
      const nodes = await getHeated(db, all.slice(start, start + HOUSEHOLDS_AT_ONCE))
      const found = nodes.map((node) => ({ node, meter: findAt(meters, node.path).own?.id }))
      const ids = found.flatMap(({ meter }) => meter ?? [])
      const [names, counts] = await Promise.all([readMeterNames(db, ids), counter.countDays(ids, range)])
      for (const { node, meter } of found) {
        const count = meter === undefined ? undefined : counts.get(meter)
        const heat = count && sumHeat(count, range)
        const isIn = (day: number): boolean => day >= range.from && day < range.to
        yield {
          name: node.name,
          nestaddr: node.nestaddr,
          areaM2: node.areaM2,
          serial: meter === undefined ? undefined : names.get(meter)?.serial,
          heat: heat && heat.uncountedDays < range.to - range.from ? heat : undefined,
          hasChanged: count?.segments.some(({ begins, from }) => begins !== 'first' && isIn(from)) ?? false,
        }
      }
    }
  }

  return {
    async exportBills({ caller, language }, { nodes, format, from, to, ...tariff }) {
      slots.requireFree(caller.accountId)
      const range = untilToday(toDays({ from, to }), today())
      const paths = await network.resolveNodes(caller.scope, nodes)
      const rows = await countHeated(db, { paths, level: 'household', text: '' })
      if (format === 'xlsx' && rows > SHEET_ROWS)
        throw new AppError('transfer.too-many-rows', { rows, limit: SHEET_ROWS })
      const dates = { from, to: toDate(range.to - 1) }
      async function* toRows(): AsyncGenerator<readonly Cell[]> {
        yield toHeadings(language, tariff)
        for await (const household of readHouseholds(paths, range))
          yield toBillRow(language, household, tariff, dates)
      }
      const { file } = billTexts[language]
      const fileName = `${file}-${dates.from}-${dates.to}.${format}`
      const open = () =>
        format === 'csv' ? toCsvFile(toRows()) : toWorkbook([{ name: file, widths: WIDTHS, rows: toRows() }])
      const type = format === 'csv' ? { type: CSV_TYPE } : {}
      return { fileName, ...type, bytes: slots.readInSlot(caller.accountId, open) }
    },
  }
}
