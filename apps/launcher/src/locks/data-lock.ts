import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine, isAlive } from '@isotherm/engines/process-life'
import { z } from 'zod'
import { StartRefused } from '../options.ts'
import { oneByOne } from './one-by-one.ts'

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
export const findHolder = (dataDir: string): Promise<LockHolder | undefined> => readHolder(fileOf(dataDir))

async function readHolder(file: string): Promise<LockHolder | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const parsed = holder.safeParse(parseJson(text))
  if (!parsed.success || parsed.data.pid === process.pid || !isAlive(parsed.data.pid)) return undefined
  // After a restart of the machine the process id can belong to another process.
  const command = await commandLine(parsed.data.pid)
  return /launcher/.test(command) ? parsed.data : undefined
}

/**
 * Writes the content to a temporary file and calls `place` to move it to the lock. So no other process reads a lock
 * that is written in part and takes it for that of a killed run.
 */
async function writeWhole<T>(
  file: string,
  content: LockHolder,
  place: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(content), { mode: 0o600 })
  try {
    return await place(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Locks the folder for this process. Throws StartRefused if another run has locked it. */
export async function lockFolder(dataDir: string): Promise<DataLock> {
  const file = fileOf(dataDir)
  const stores: LockHolder['stores'] = {}
  const content = (): LockHolder => ({ pid: process.pid, stores })
  const create = () => writeWhole(file, content(), (draft) => link(draft, file))
  try {
    // Two processes could find the lock of a killed run at the same time, and one would remove the new lock of the other.
    await create().catch((cause) =>
      oneByOne(dataDir, async () => {
        if (await findHolder(dataDir)) throw cause
        await rm(file, { force: true })
        await create()
      }),
    )
  } catch (cause) {
    const other = await findHolder(dataDir)
    if (!other) throw cause
    const line = `the data folder ${dataDir} is in use by process ${other.pid}; end it or set ISOTHERM_DATA`
    throw new StartRefused(line, { cause })
  }
  let published: Promise<void> = Promise.resolve()
  return {
    publish(store, url) {
      stores[store] = url
      // Writes are made one after the other: the engines start at the same time, and the last write must contain both
      // URLs.
      published = published
        .catch(() => undefined)
        .then(() => writeWhole(file, content(), (draft) => rename(draft, file)))
      return published
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
