import { spawn } from 'node:child_process'
import { exitOf, findFreePort, signal, waitForExit } from '@isotherm/engines/process-life'
import type { Options } from '../options.ts'
import type { Shutdown } from '../shutdown.ts'
import { consoleDir, viteProgram } from './build.ts'

/**
 * Serves the console from its sources on the given port. Vite's configuration forwards other requests to
 * ISOTHERM_SERVER_URL. Returns the address.
 */
export async function startConsoleDev(
  options: Options,
  serverUrl: string,
  shutdown: Shutdown,
  layer: number,
): Promise<string> {
  const port = options.port === 0 ? await findFreePort() : options.port
  const args = [viteProgram(), consoleDir, '--host', options.host, '--port', String(port), '--strictPort']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ISOTHERM_SERVER_URL: serverUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  const exited = exitOf(child)
  shutdown.add(layer, 'the console', async () => {
    if (!child.pid) return
    signal(child.pid, 'SIGTERM')
    if (!(await waitForExit(child.pid, 2_000))) signal(child.pid, 'SIGKILL')
    await exited
  })
  return `http://${options.host}:${port}`
}
