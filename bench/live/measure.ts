import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoints } from '@isotherm/contract/endpoints/all'
import type { Group } from '@isotherm/contract/endpoints/network/network'
import type { BenchResult } from '../bench.ts'
import { createServerCalls, type Session } from '../registry/server-calls.ts'
import { PASSWORD, SECRET, startServer, type Urls } from '../server/own-server.ts'
import { endProcess, startProcess, waitForLine } from '../server/processes.ts'
import { describeCompany } from './company.ts'
import type { FieldSettings, LiveSettings, WatchResult, WatchSettings } from './settings.ts'

/** Accounts of the watchers. Three, because the number of windows per account is limited. */
const accounts = ['admin', 'dispatcher', 'maintenance'] as const

const settings: LiveSettings = {
  concentrators: 100,
  valves: 100,
  periodMs: 10_000,
  watchAll: 10,
  watchArea: 40,
  measuredMs: 30_000,
}

async function listAreas(session: Session): Promise<string[]> {
  const page = { pageNo: 1, pageSize: 20, queryGroupListStatus: 0 } as const
  const { data } = await session.call(endpoints.queryProjectList, page)
  const projectId = data.list[0]?.id ?? 0
  const groups = await session.call(endpoints.getDevGroups, { projectId, devCountIsContainChildren: 0 })
  const list = (of: readonly Group[]): Group[] => of.flatMap((each) => [each, ...list(each.childrens)])
  return list(groups.data.groupList).flatMap(({ id, level }) => (level === 5 ? [String(id)] : []))
}

/** CPU time of the server, s, and its memory, MB. */
async function readProcess(port: number): Promise<{ cpuS: number; memoryMb: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^isotherm_process_${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { cpuS: read('cpu_seconds_total'), memoryMb: read('resident_memory_bytes') / 1e6 }
}

/** Measures the time from an MQTT publish to the WebSocket frame, with 10,000 changing valves and 50 watchers. */
export async function measureLivePush(urls: Urls, folder: string): Promise<BenchResult> {
  const registry = join(folder, 'live-registry.json')
  await writeFile(registry, JSON.stringify(describeCompany(settings)))
  const server = startServer(urls, { ISOTHERM_REGISTRY_FILE: registry })
  try {
    const { port, mqttPort } = JSON.parse(await waitForLine(server, 'ISOTHERM_READY '))
    const calls = createServerCalls(Number(port))
    const sessions: Session[] = []
    for (const account of accounts) sessions.push(await calls.logIn(account, PASSWORD))
    const [first] = sessions
    const areas = first ? await listAreas(first) : []
    calls.close()
    const field: FieldSettings = { ...settings, url: `mqtt://127.0.0.1:${mqttPort}`, secret: SECRET }
    const fieldProcess = startProcess(new URL('./field.ts', import.meta.url), [JSON.stringify(field)])
    try {
      await waitForLine(fieldProcess, 'FIELD')
      await new Promise((resolve) => setTimeout(resolve, settings.periodMs))
      const watching: WatchSettings = {
        ...settings,
        url: `ws://127.0.0.1:${port}/live`,
        areas,
        tokens: sessions.map(({ bearer }) => bearer),
      }
      const watchers = startProcess(new URL('./watch.ts', import.meta.url), [JSON.stringify(watching)])
      const done = waitForLine(watchers, 'RESULT ')
      // If the watcher ends early, this promise and the next one both reject; the awaited one reports the error.
      done.catch(() => undefined)
      await waitForLine(watchers, 'WATCHING')
      const before = await readProcess(port)
      const result: WatchResult = JSON.parse(await done)
      const after = await readProcess(port)
      const cores = (after.cpuS - before.cpuS) / (settings.measuredMs / 1_000)
      return {
        figures: { live_push_p95_ms: result.p95Ms },
        peers: [
          { figure: 'live_push_p95_ms', label: 'median of the same run, ms', value: result.p50Ms },
          { figure: 'live_push_p95_ms', label: '99 of 100, ms', value: result.p99Ms },
          { figure: 'live_push_p95_ms', label: 'cores the server takes meanwhile', value: cores },
        ],
        notes: [
          `live: ${settings.concentrators * settings.valves} valves that report each ${settings.periodMs / 1_000} s, ${settings.watchAll} watchers of all and ${settings.watchArea} of one`,
          `area of ${settings.valves} each; ${result.rows} rows in ${result.frames} frames within ${settings.measuredMs / 1_000} s, ${after.memoryMb.toFixed(0)} MB resident.`,
        ],
      }
    } finally {
      await endProcess(fieldProcess)
    }
  } finally {
    await endProcess(server)
  }
}
