import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer, type Urls } from '../server/own-server.ts'
import { waitForLine } from '../server/processes.ts'
import { collectGarbage, findInspector, withInspector } from './collect-garbage.ts'
import { readUse } from './server-process.ts'

/** After a start the server does some work of its own, ms. */
const SETTLE_MS = 30_000

/** A server whose garbage can be collected. */
export interface Started {
  readonly child: ChildProcess
  readonly port: number
  readonly mqttPort: number
  readonly startS: number
  /** Address of its inspector. */
  readonly inspector: string
}

export async function start(urls: Urls): Promise<Started> {
  const started = performance.now()
  const child = startServer(urls, withInspector)
  const found = findInspector(child)
  // The start itself says why it failed.
  found.catch(() => undefined)
  const { port, mqttPort } = JSON.parse(await waitForLine(child, 'ISOTHERM_READY '))
  return {
    child,
    port: Number(port),
    mqttPort: Number(mqttPort),
    startS: (performance.now() - started) / 1_000,
    inspector: await found,
  }
}

/** Memory in use of a server that has just started, after a garbage collection, MB. */
export async function measureUsedMb({ port, inspector }: Started): Promise<number> {
  await wait(SETTLE_MS)
  await collectGarbage(inspector)
  return (await readUse(port)).usedMb
}
