import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type GroundFile,
  type GroundFormat,
  groundFormat,
  MAX_GEOJSON_BYTES,
  type MapGround,
  type RefusedGroundFile,
} from '@isotherm/contract/network/map-ground'
import { createGate } from '@isotherm/kernel/gate'
import { AppError } from '../../../platform/app-error.ts'
import { type Clock, systemClock } from '../../../platform/clock.ts'
import type { FileAnswer } from '../../../platform/http/handlers.ts'
import { createHeldRead } from '../../../platform/tasks/held-read.ts'
import { type Examined, examineGeojson, refuse } from './examine-geojson.ts'
import { examinePmtiles } from './examine-pmtiles.ts'
import { type ListedFile, type Listing, listFiles } from './list-files.ts'

/** Companies whose map files are shown; `all`: of every company. */
export type GroundOf = 'all' | readonly string[]

const mediaTypes: Readonly<Record<GroundFormat, string>> = {
  geojson: 'application/geo+json',
  pmtiles: 'application/vnd.pmtiles',
}

interface FoundFile extends Pick<ListedFile, 'file' | 'path'> {
  readonly version: string
  readonly bytes: number
}

export interface GroundFolderOptions {
  readonly clock?: Pick<Clock, 'elapsed'>
  /** How long a listing of the folder is used, ms. */
  readonly holdMs?: number
}

/** A map requests dozens of parts of a file at once. Version and size of a file are read for each part. */
export const HOLD_MS = 1_000

/** Size and version of a listed file as it is now. */
async function find({ file, path }: ListedFile): Promise<FoundFile> {
  const { size, mtimeMs } = await stat(path).catch(() => ({ size: -1, mtimeMs: 0 }))
  const version = createHash('sha256').update(`${size} ${mtimeMs}`).digest('hex').slice(0, 16)
  return { file, path, version, bytes: size }
}

/** Larger files are parsed on a thread of their own: 16 MB take a third of a second, in which the server would answer nobody. */
const MAX_PARSED_HERE = 256 * 1024
const examineOneByOne = createGate({ running: 1 })

const examineLarge = (path: string): Promise<Examined> =>
  examineOneByOne(async () => {
    const worker = new Worker(new URL('./examine-geojson-worker.ts', import.meta.url), { workerData: path })
    try {
      // An error of the worker rejects.
      const [examined] = await once(worker, 'message')
      return examined
    } finally {
      await worker.terminate()
    }
  })

async function examineContent({ path, bytes }: FoundFile, format: GroundFormat): Promise<Examined> {
  if (bytes === 0) return refuse('empty')
  if (format === 'geojson') {
    if (bytes > MAX_GEOJSON_BYTES) return refuse('too-large')
    return bytes > MAX_PARSED_HERE ? examineLarge(path) : examineGeojson(await readFile(path, 'utf8'))
  }
  const handle = await open(path)
  try {
    return await examinePmtiles(handle, bytes)
  } finally {
    await handle.close()
  }
}

async function examine(found: FoundFile): Promise<GroundFile | RefusedGroundFile> {
  const { file, version } = found
  const format = groundFormat.safeParse(extname(file).slice(1).toLowerCase())
  if (!format.success) return { file, fault: 'unknown-format' }
  const examined = await examineContent(found, format.data).catch(() => refuse('unreadable'))
  if (examined.kind === 'refused') return { file, fault: examined.fault }
  const { attribution, maxZoom } = examined
  return { file, format: format.data, version, attribution, maxZoom }
}

/**
 * The map files in a folder: those right in it for every company, those in a sub-folder for the company of this tenant. A
 * file is examined once for each version, one that cannot be read each time. A new file is found within HOLD_MS. Undefined folder: there are none.
 */
export function createGroundFolder(
  folder: string | undefined,
  { clock = systemClock, holdMs = HOLD_MS }: GroundFolderOptions = {},
) {
  const listHeld = createHeldRead(listFiles, holdMs, clock)
  const examined = new Map<
    string,
    { readonly version: string; readonly result: ReturnType<typeof examine> }
  >()

  async function list(companies: GroundOf): Promise<Listing> {
    if (folder === undefined) return { files: [], unreadable: [] }
    const { files, unreadable } = await listHeld(folder)
    const isShown = ({ tenant }: Pick<ListedFile, 'tenant'>): boolean =>
      tenant === undefined || companies === 'all' || companies.includes(tenant)
    return { files: files.filter(isShown), unreadable: unreadable.filter(isShown) }
  }

  function examineOnce(found: FoundFile): ReturnType<typeof examine> {
    const known = examined.get(found.path)
    if (known?.version === found.version) return known.result
    const result = examine(found)
    examined.set(found.path, { version: found.version, result })
    // File permissions can change without a new version, so an unreadable file is examined again.
    result.then((each) => {
      const isUnreadable = 'fault' in each && each.fault === 'unreadable'
      if (isUnreadable && examined.get(found.path)?.result === result) examined.delete(found.path)
    })
    return result
  }

  return {
    /** The usable files and the refused ones. */
    async list(companies: GroundOf): Promise<MapGround> {
      const { files, unreadable } = await list(companies)
      const results = await Promise.all(files.map(async (each) => examineOnce(await find(each))))
      return {
        files: results.filter((each): each is GroundFile => !('fault' in each)),
        refused: [
          ...results.filter((each): each is RefusedGroundFile => 'fault' in each),
          ...unreadable.map(({ file, fault }) => ({ file, fault })),
        ],
      }
    },

    /** Opens a usable file, for a client that may know its version. Throws map-file.not-found for any other. */
    async open(companies: GroundOf, file: string, version?: string): Promise<FileAnswer> {
      const listed = (await list(companies)).files.find((each) => each.file === file)
      if (!listed) throw new AppError('map-file.not-found')
      const found = await find(listed)
      const result = await examineOnce(found)
      if ('fault' in result) throw new AppError('map-file.not-found')
      const read = (start: number, end: number) => createReadStream(found.path, { start, end })
      return {
        fileName: file.slice(file.indexOf('/') + 1),
        type: mediaTypes[result.format],
        bytes: toLazy(() => read(0, found.bytes - 1)),
        parts: {
          totalBytes: found.bytes,
          etag: `"${found.version}"`,
          isImmutable: version === found.version,
          read,
        },
      }
    },
  }
}

/** Opens the stream when it is read: nobody closes one that is never read. */
async function* toLazy(start: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* start()
}
