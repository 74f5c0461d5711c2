import { endProcess, startProcess, waitForLine } from '../server/processes.ts'
import type { LoadResult, LoadSettings } from './load-settings.ts'

/** Runs the load generator once. */
export async function sendLoad(settings: LoadSettings): Promise<LoadResult> {
  const child = startProcess(new URL('./load.ts', import.meta.url), [JSON.stringify(settings)])
  const result: LoadResult = JSON.parse(`{${await waitForLine(child, '{')}`)
  await endProcess(child)
  return result
}
