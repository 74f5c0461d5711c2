import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import type { Settings } from './config.ts'
import { fetchConfig } from './fetch-config.ts'
import { describeUnknown, readConfig } from './read-config.ts'

/** What happens with configurations. */
export interface ConfigUser {
  readonly report: (text: string) => void
  /** Uses one instead of the former one. Throws if it cannot; the former one stays in use. */
  readonly use: (config: GatewayConfig, leavesOutFaults: boolean) => Promise<void>
  /** Called with true while the newest one is not the one in use. */
  readonly onRefused: (isRefused: boolean) => void
}

/** How often a file and the server are checked for a change, ms. */
const FILE_MS = 5 * SECOND_MS
const SERVER_MS = MINUTE_MS

const describe = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  // fetch says why in the cause.
  return error instanceof Error && error.cause instanceof Error ? `${text}: ${error.cause.message}` : text
}

/** The copy of the last configuration that could be used, for a start without the server or with one that cannot. */
function openCopy({ dataFolder: folder, place }: Place) {
  const path = join(folder, place.kind === 'server' ? 'config.json' : 'used-config.json')
  return {
    /** Undefined without one, or if it is damaged. */
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
      // The content is on the disk before the name is: a power failure leaves the former or the new one, never half of it.
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

/** The first configuration; without the server the last one that could be used. */
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
 * Gets the configuration and follows its changes. One that is wrong or cannot be started is reported and tried again, and the former one
 * stays in use, also after a restart.
 */
export async function followConfig(
  given: Place,
  { report, use, onRefused }: ConfigUser,
  checkMs = given.place.kind === 'file' ? FILE_MS : SERVER_MS,
): Promise<{ readonly close: () => void }> {
  const { place, name } = given
  const copy = openCopy(given)
  const read = async (): Promise<string> =>
    place.kind === 'file' ? readFileSync(place.path, 'utf8') : fetchConfig(place, name)
  let used = ''
  /** Devices were left out of the one in use. */
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
      // Without a former one, as much of it as is possible.
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
