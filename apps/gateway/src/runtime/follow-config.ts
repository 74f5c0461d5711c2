import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { Settings } from './config.ts'
import { fetchConfig } from './fetch-config.ts'

/** The configuration and its changes. */
export interface ConfigSource {
  readonly config: GatewayConfig
  onChange(listener: (config: GatewayConfig) => Promise<void>): void
  close(): void
}

/** How often a file and the server are checked for a change, ms. */
const FILE_MS = 5 * SECOND_MS
const SERVER_MS = MINUTE_MS

function parse(text: string): GatewayConfig {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('the configuration is no JSON')
  }
  const parsed = gatewayConfig.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error(`the configuration is wrong: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`)
}

const describe = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  // fetch says why in the cause.
  return error instanceof Error && error.cause instanceof Error ? `${text}: ${error.cause.message}` : text
}

/** The copy of the last configuration of the server, for a start without it. */
function openCopy(folder: string) {
  const path = join(folder, 'config.json')
  return {
    read: (): string => readFileSync(path, 'utf8'),
    write(text: string): void {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    },
  }
}

type Place = Pick<Settings, 'place' | 'dataFolder' | 'name'>

/** The first configuration; without the server the last one that it gave. */
async function readFirst(
  read: () => Promise<string>,
  { place, dataFolder }: Place,
  report: (text: string) => void,
) {
  try {
    return await read()
  } catch (error) {
    if (place.kind === 'file') throw error
    let copy: string
    try {
      copy = openCopy(dataFolder).read()
    } catch {
      throw new Error(describe(error))
    }
    report(`${describe(error)}; the last configuration is used`)
    return copy
  }
}

/** Gets the configuration and follows its changes. A wrong one is reported, and the former one stays in use. */
export async function followConfig(
  given: Place,
  report: (text: string) => void,
  checkMs = given.place.kind === 'file' ? FILE_MS : SERVER_MS,
): Promise<ConfigSource> {
  const { place, dataFolder, name } = given
  const read = async (): Promise<string> =>
    place.kind === 'file' ? readFileSync(place.path, 'utf8') : fetchConfig(place, name)
  const keep = (text: string): void => {
    if (place.kind === 'server') openCopy(dataFolder).write(text)
  }
  let used = await readFirst(read, given, report)
  const config = parse(used)
  keep(used)
  let listener: (config: GatewayConfig) => Promise<void> = async () => undefined
  let lastProblem = ''
  let isChecking = false

  async function check(): Promise<void> {
    const text = await read()
    if (text !== used) {
      await listener(parse(text))
      used = text
      keep(text)
      report('a new configuration is in use')
    }
    lastProblem = ''
  }

  async function checkOnce(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      await check()
    } catch (error) {
      const problem = describe(error)
      if (problem !== lastProblem) report(problem)
      lastProblem = problem
    } finally {
      isChecking = false
    }
  }

  const timer = setInterval(() => void checkOnce(), checkMs)
  return {
    config,
    onChange(next) {
      listener = next
    },
    close: () => clearInterval(timer),
  }
}
