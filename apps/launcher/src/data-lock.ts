import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine, isAlive } from '@isotherm/engines/process-life'
import { z } from 'zod'
import { StartRefused } from './options.ts'

const holder = z.object({
  pid: z.number().int().positive(),
  /** URLs of the embedded engines of the running product, as far as they run. */
  stores: z
    .object({ DATABASE_URL: z.string().optional(), CLICKHOUSE_URL: z.string().optional() })
    .default({}),
})
export type LockHolder = z.infer<typeof holder>

export interface DataLock {
  /** Publishes the URL of an embedded engine of this run. */
  publish(store: keyof LockHolder['stores'], url: string): Promise<void>
  release(): Promise<void>
}

const fileOf = (dataDir: string) => join(dataDir, 'launcher.lock')

/** The running product on this folder, if any. A lock of a killed run does not count. */
export async function findHolder(dataDir: string): Promise<LockHolder | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '')
  const parsed = holder.safeParse(parseJson(text))
  if (!parsed.success || parsed.data.pid === process.pid || !isAlive(parsed.data.pid)) return undefined
  // After a restart of the machine the process id can belong to another process.
  const command = await commandLine(parsed.data.pid)
  return /launcher/.test(command) ? parsed.data : undefined
}

/** Locks the folder for this process. Throws StartRefused if another run has locked it. */
export async function lockFolder(dataDir: string): Promise<DataLock> {
  const file = fileOf(dataDir)
  const stores: LockHolder['stores'] = {}
  const write = (content: LockHolder, flag: 'wx' | 'w') =>
    writeFile(file, JSON.stringify(content), { flag, mode: 0o600 })
  try {
    await write({ pid: process.pid, stores }, 'wx')
  } catch (cause) {
    const other = await findHolder(dataDir)
    if (other) {
      const line = `the data folder ${dataDir} is in use by process ${other.pid}; end it or set ISOTHERM_DATA`
      throw new StartRefused(line, { cause })
    }
    await rm(file, { force: true })
    await write({ pid: process.pid, stores }, 'wx')
  }
  return {
    publish(store, url) {
      stores[store] = url
      return write({ pid: process.pid, stores }, 'w')
    },
    release: () => rm(file, { force: true }),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
