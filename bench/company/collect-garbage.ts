import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Variables that start a process with Node's inspector on a free port. */
export const withInspector = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const

/** Address of the inspector of a process that has just been started with it. */
export function findInspector({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!stderr) throw new Error('the output of the process is not read')
    const lines = createInterface(stderr)
    lines.on('line', (line) => {
      const [, url] = /^Debugger listening on (ws:\S+)/.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
    lines.once('close', () => reject(new Error('the process has no inspector')))
  })
}

/** Collects all garbage of a process, so that its memory in use is what it needs. */
export async function collectGarbage(inspector: string): Promise<void> {
  const socket = new WebSocket(inspector)
  const failed = new Promise<never>((_, reject) =>
    socket.addEventListener('close', () => reject(new Error('the inspector has closed its connection'))),
  )
  failed.catch(() => undefined)
  await Promise.race([once(socket, 'open'), failed])
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
  await Promise.race([once(socket, 'message'), failed])
  socket.close()
}
