import { setTimeout as wait } from 'node:timers/promises'
import { listTree } from '../server/process-tree.ts'

/** Stops a process and all below it for a time, as a hanging disk or a frozen machine does. */
export async function pauseProcess(pid: number, ms: number): Promise<void> {
  const paused = listTree(pid)
  for (const each of paused) process.kill(each, 'SIGSTOP')
  try {
    await wait(ms)
  } finally {
    for (const each of paused.toReversed()) process.kill(each, 'SIGCONT')
  }
}
