import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const PAUSE_MS = 10

/**
 * Runs the work while no other process runs one for this folder, and returns its result. On Linux the name of a socket is the
 * mutex: the kernel frees it when the process ends. Other systems have no such names and do without. Rejects when `abort` ends
 * the wait.
 */
export async function oneByOne<T>(folder: string, work: () => Promise<T>, abort?: AbortSignal): Promise<T> {
  if (process.platform !== 'linux') return work()
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
  const socket = createServer()
  for (;;) {
    const taken = once(socket, 'listening').then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error
        return true
      },
    )
    socket.listen(`\0isotherm ${name}`)
    if (!(await taken)) break
    await delay(PAUSE_MS, undefined, { signal: abort })
  }
  try {
    return await work()
  } finally {
    socket.close()
  }
}
