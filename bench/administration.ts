import { addAccounts } from './administration/add-accounts.ts'
import { type Imported, importDevices } from './administration/import-devices.ts'
import { workAtOnce } from './administration/work-at-once.ts'
import type { Bench, BenchResult } from './bench.ts'
import { countTotals, TENANT } from './registry/company.ts'
import { openPlainSql } from './registry/plain-sql.ts'
import { createServerCalls } from './registry/server-calls.ts'
import { time, toTimes } from './registry/timing.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from './server/own-server.ts'
import { endProcess, waitForLine } from './server/processes.ts'

/** Some 120,000 nodes and 230,000 devices. */
const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000)
const ADMINISTRATORS = 50
const WORK_S = Number(process.env.ISOTHERM_BENCH_WORK_S ?? 60)
const IMPORTED = Number(process.env.ISOTHERM_BENCH_IMPORT_ROWS ?? 100_000)
/** URL of an existing database with a company of `npm run seed -- --tenant bench`. The bench does not remove it. */
const EXISTING_DATABASE = process.env.ISOTHERM_BENCH_DATABASE

const toLine = (name: string, times: readonly number[]): string => {
  const { p50, p95 } = toTimes(times)
  return `${name}: ${times.length} calls, median ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`
}

const toImportNote = (what: string, { added, unchanged, failed, seconds }: Imported): string =>
  `${what}: ${added} added, ${unchanged} unchanged, ${failed} refused in ${seconds.toFixed(0)} s`

async function measure(urls: Urls): Promise<BenchResult> {
  if (EXISTING_DATABASE === undefined) {
    console.log(`making a company of ${HOUSEHOLDS} households ...`)
    const ms = await time(() => seedCompany(urls, HOUSEHOLDS, TENANT))
    console.log(`made in ${(ms / 1000).toFixed(0)} s`)
  }
  const accounts = await addAccounts(urls.database, ADMINISTRATORS)
  const child = startServer(urls)
  const sql = await openPlainSql(urls.database)
  try {
    const { port } = JSON.parse(await waitForLine(child, 'ISOTHERM_READY '))
    const calls = createServerCalls(Number(port))
    const totals = await countTotals(sql)
    const work = await workAtOnce(Number(port), sql, { accounts, seconds: WORK_S })
    for (const name of ['list', 'search', 'save'] as const) console.log(toLine(name, work[name]))
    const session = await calls.logIn(`${TENANT}.manager`, PASSWORD)
    const first = await importDevices({ port: Number(port), session, sql, rows: IMPORTED })
    console.log(toImportNote('import', first.imported))
    const again = await importDevices({ port: Number(port), session, sql, rows: IMPORTED })
    calls.close()
    const p95 = (times: readonly number[]) => toTimes(times).p95
    return {
      figures: {
        list_p95_ms: p95(work.list),
        search_p95_ms: p95(work.search),
        save_p95_ms: p95(work.save),
        import_100k_devices_s: first.imported.seconds,
      },
      peers: [
        {
          figure: 'list_p95_ms',
          label: 'the same page and count in plain SQL, alone, p95, ms',
          value: p95(work.plain.list),
        },
        {
          figure: 'search_p95_ms',
          label: 'name like %text% in plain SQL, first 30, alone, p95, ms',
          value: p95(work.plain.search),
        },
        {
          figure: 'save_p95_ms',
          label: 'one update in plain SQL, alone, p95, ms',
          value: p95(work.plain.save),
        },
        {
          figure: 'import_100k_devices_s',
          label: 'insert of the same rows by one plain statement, s',
          value: first.plainS,
        },
        {
          figure: 'import_100k_devices_s',
          label: 'list during the import, p95, ms',
          value: p95(first.listMs),
        },
      ],
      notes: [
        `${totals.nodes} nodes, ${totals.devices} devices; ${ADMINISTRATORS} sessions work for ${WORK_S} s, each with a call every 1 to 3 s.`,
        'list: a page of 100 devices of a kind below a node, or of accounts. search: the tree. save: the name of a device.',
        'The generator of the load runs on the same machine.',
        toImportNote('import of devices, 1 % of the rows bad', first.imported),
        toImportNote('the same workbook again', again.imported),
      ],
    }
  } finally {
    await sql.close()
    await endProcess(child)
  }
}

export const bench: Bench = {
  name: 'administration',
  about:
    '50 administrators on a company of 100,000 households, and an import of 100,000 devices, beside plain SQL',
  run: () => onEngines(measure, { databaseUrl: EXISTING_DATABASE }),
}
