import { endProcess, startProcess, waitForLine } from '../server/processes.ts'
import type { LoadOrder, LoadResult } from './order.ts'

/** Runs the load generator once. */
export async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const child = startProcess(new URL('./load.ts', import.meta.url), [JSON.stringify(order)])
  const result: LoadResult = JSON.parse(`{${await waitForLine(child, '{')}`)
  await endProcess(child)
  return result
}
