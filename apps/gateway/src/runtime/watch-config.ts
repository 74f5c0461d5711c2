import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import type { Settings } from './config.ts'
import { fetchConfig } from './fetch-config.ts'
import { describeUnknown, readConfig } from './read-config.ts'

/** User of configurations. */
export interface ConfigUser {
  readonly report: (text: string) => void
  /** Replaces the current configuration. Throws if that fails; the current one then stays in use. */
  readonly use: (config: GatewayConfig, leavesOutFaults: boolean) => Promise<void>
  /** Called with true if the newest configuration is refused, and with false once it is in use. */
  readonly onRefused: (isRefused: boolean) => void
}

/** How often a file and the server are checked for a change, ms. */
const FILE_MS = 5 * SECOND_MS
const SERVER_MS = MINUTE_MS

const describe = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  // The cause of an error of fetch says why it failed.
  return error instanceof Error && error.cause instanceof Error ? `${text}: ${error.cause.message}` : text
}

/** Copy of the last usable configuration, for a start while the server is unavailable or has an unusable one. */
function openCopy({ dataFolder: folder, place }: Place) {
  const path = join(folder, place.kind === 'server' ? 'config.json' : 'used-config.json')
  return {
    /** Undefined if there is no copy, or if it is damaged. */
    find(): string | undefined {
      try {
        const text = readFileSync(path, 'utf8')
        readConfig(text)
        return text
      } catch {
        return undefined
      }
    },
    write(text: string): void {
      mkdirSync(folder, { recursive: true })
      // The content is synced before the rename, so that a power failure leaves the former or the new configuration.
      const file = openSync(`${path}.new`, 'w')
      try {
        writeFileSync(file, text)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(`${path}.new`, path)
    },
  }
}

type Place = Pick<Settings, 'place' | 'dataFolder' | 'name'>

/** Reads the first configuration; if the server is unavailable, the last usable one. */
async function readFirst(
  read: () => Promise<string>,
  { kind }: Place['place'],
  copy: string | undefined,
  report: (text: string) => void,
) {
  try {
    return await read()
  } catch (error) {
    if (kind === 'file') throw error
    if (copy === undefined) throw new Error(describe(error))
    report(`${describe(error)}; the last configuration is used`)
    return copy
  }
}

/**
 * Gets the configuration and watches it for changes. A configuration that is invalid or cannot be started is reported
 * and tried again; the former one stays in use, also after a restart.
 */
export async function watchConfig(
  given: Place,
  { report, use, onRefused }: ConfigUser,
  checkMs = given.place.kind === 'file' ? FILE_MS : SERVER_MS,
): Promise<{ readonly close: () => void }> {
  const { place, name } = given
  const copy = openCopy(given)
  const read = async (): Promise<string> =>
    place.kind === 'file' ? readFileSync(place.path, 'utf8') : fetchConfig(place, name)
  let used = ''
  /** Whether devices were left out of the current configuration. */
  let isPartial = false
  let lastProblem = ''
  let isChecking = false

  function reportOnce(problem: string): void {
    if (problem !== lastProblem) report(problem)
    lastProblem = problem
  }

  async function useText(text: string, leavesOutFaults: boolean): Promise<void> {
    const { config, unknown } = readConfig(text)
    await use(config, leavesOutFaults)
    used = text
    if (unknown.length > 0) report(describeUnknown(unknown))
    try {
      copy.write(text)
    } catch (error) {
      report(`the configuration is in use and could not be copied: ${describe(error)}`)
    }
  }

  async function start(): Promise<void> {
    const former = copy.find()
    const text = await readFirst(read, place, former, report)
    try {
      await useText(text, false)
    } catch (error) {
      onRefused(true)
      // Without a former configuration, the usable part of this one is used.
      if (former === undefined || former === text) {
        isPartial = true
        return useText(text, true)
      }
      reportOnce(describe(error))
      report('the last configuration that could be used is used')
      await useText(former, true)
    }
  }

  async function check(): Promise<void> {
    const text = await read()
    if (text !== used) {
      try {
        await useText(text, false)
      } catch (error) {
        onRefused(true)
        throw error
      }
      isPartial = false
      report('a new configuration is in use')
    }
    if (!isPartial) onRefused(false)
    lastProblem = ''
  }

  async function checkOnce(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      await check()
    } catch (error) {
      reportOnce(describe(error))
    } finally {
      isChecking = false
    }
  }

  await start()
  const timer = setInterval(() => void checkOnce(), checkMs)
  return { close: () => clearInterval(timer) }
}
