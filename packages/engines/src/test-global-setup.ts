import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startClickhouse } from './clickhouse/clickhouse.ts'
import type { Engine } from './engine.ts'
import { startPostgres } from './postgres.ts'
import { makeScratchFolder } from './scratch-folder.ts'
import type {} from './testkit.ts'

/**
 * Vitest global setup: a loopback server where test files request an engine. Each engine starts once per run, at the first
 * request, in a temporary folder, and ends with the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const secret = randomBytes(16).toString('hex')
  const engines = new Map<string, Promise<Engine>>()
  let folder: string | undefined

  const start = async (name: string): Promise<Engine> => {
    folder ??= makeScratchFolder('isotherm-test-')
    const options = { dataDir: join(folder, name), port: 0, password: secret }
    return name === 'postgres' ? startPostgres({ ...options, durable: false }) : startClickhouse(options)
  }

  const engineServer = createServer((request, response) => {
    const name = request.url?.slice(secret.length + 2) ?? ''
    const known = request.url === `/${secret}/${name}` && (name === 'postgres' || name === 'clickhouse')
    if (!known) return void response.writeHead(404).end('no such engine')
    const engine = engines.get(name) ?? start(name)
    engines.set(name, engine)
    engine.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  const port = await new Promise<number>((resolve) => {
    engineServer.listen(0, '127.0.0.1', () => {
      const address = engineServer.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  project.provide('engineServerUrl', `http://127.0.0.1:${port}/${secret}/`)

  const removeFolder = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  // After an interrupted run the engines end on their own, and the next run removes their folder.
  process.once('exit', removeFolder)
  return async () => {
    engineServer.closeAllConnections()
    engineServer.close()
    const started = await Promise.allSettled(engines.values())
    await Promise.all(
      started.map((engine) => (engine.status === 'fulfilled' ? engine.value.stop() : undefined)),
    )
    removeFolder()
    process.off('exit', removeFolder)
  }
}
