import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import { startPostgres } from '@isotherm/engines/postgres'
import { listDescendants, readResidentMb } from '../tools/product/processes.ts'
import { startProduct } from '../tools/product/start-product.ts'
import type { Bench, BenchPeer, BenchResult } from './bench.ts'

const root = join(import.meta.dirname, '..')
/** Settling time before memory is measured, s: caches fill and the first garbage is collected. */
const SETTLE_S = 60

/** Time until both stores answer if they start alone, s: the lower limit of any start. */
async function measureEngines(dataDir: string): Promise<number> {
  const started = performance.now()
  const options = (name: string) => ({ dataDir: join(dataDir, name), port: 0, password: 'bench-only' })
  const engines = await Promise.all([
    startPostgres({ ...options('postgres'), log: () => {} }),
    startClickhouse({ ...options('clickhouse'), log: () => {} }),
  ])
  const seconds = (performance.now() - started) / 1000
  await Promise.all(engines.map((engine) => engine.stop()))
  return seconds
}

/** Resident memory of a Node process that only serves HTTP, MB. */
function measureBareServerMb(): number {
  const script =
    "require('node:http').createServer().listen(0, () => { console.log(process.memoryUsage.rss() / 1e6); process.exit() })"
  return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
}

/** Resident memory of the server alone, and of all processes of the product, MB. */
function measureMemory(pid: number): { readonly serverMb: number; readonly allMb: number } {
  const processes = listDescendants(pid)
  const server = processes.find(({ command }) => command.includes('apps/server/src/main.ts'))
  if (server === undefined) throw new Error('The product runs no server process')
  const all = [pid, ...processes.map((process) => process.pid)]
  return {
    serverMb: readResidentMb(server.pid),
    allMb: all.reduce((sum, each) => sum + readResidentMb(each), 0),
  }
}

async function measureStarts(dataDir: string): Promise<Readonly<Record<string, number>>> {
  const first = await startProduct({ dataDir, isCold: true })
  const stopping = performance.now()
  await first.stop()
  const stopS = (performance.now() - stopping) / 1000
  const next = await startProduct({ dataDir, isCold: true })
  try {
    await wait(SETTLE_S * 1000)
    const { serverMb, allMb } = measureMemory(next.pid)
    return {
      first_start_s: first.startS,
      next_start_s: next.startS,
      stop_s: stopS,
      idle_server_rss_mb: serverMb,
      allMb,
    }
  } finally {
    await next.stop()
  }
}

async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-bench-'))
  // A new clone has no built console: the first start builds it.
  rmSync(join(root, 'apps/console/dist'), { recursive: true, force: true })
  try {
    const { allMb = 0, ...figures } = await measureStarts(join(folder, 'product'))
    const peers: readonly BenchPeer[] = [
      {
        figure: 'first_start_s',
        label: 'both stores alone, empty folder',
        value: await measureEngines(folder),
      },
      {
        figure: 'next_start_s',
        label: 'both stores alone, existing folder',
        value: await measureEngines(folder),
      },
      { figure: 'idle_server_rss_mb', label: 'bare Node HTTP server', value: measureBareServerMb() },
      { figure: 'idle_server_rss_mb', label: 'every process of the demo together', value: allMb },
    ]
    const notes = [
      'First start: empty data folder, no built console, dependencies installed.',
      `Memory: ${SETTLE_S} s after the second start, with the twin and without sessions.`,
    ]
    return { figures, peers, notes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const bench: Bench = {
  name: 'start',
  about:
    'seconds until the demo is ready, first and later starts, until it has ended, and what its server keeps in memory',
  run,
}
