import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const READY_MS = 180_000
/** Time that a service manager gives: TimeoutStopSec of deploy/systemd/isotherm.service. */
const STOP_MS = 30_000

export interface Product {
  /** Address of the console, without a slash at the end. */
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** From the start of the command until it reports that everything is ready, s. */
  readonly startS: number
  /** Its output so far. */
  output(): string
  /**
   * Ends it like Ctrl-C and waits for its end; removes a temporary data folder. Returns its exit code: null if it was killed, because it
   * took longer than a service manager waits.
   */
  stop(): Promise<number | null>
}

export interface ProductOptions {
  /** Data folder, which stays after stop(). Default: a temporary folder, which stop() removes. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  /** `serve` is a production installation, without a simulated field and without accounts. Default: the demo. */
  readonly command?: 'demo' | 'serve'
  /** The start of a new clone, which has no compile cache. Default: code that an earlier product compiled is not compiled again. */
  readonly isCold?: boolean
}

/** Variables of the caller that would point the product at other engines or folders. */
const OWN_VARIABLES = [
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'MQTT_URL',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
]

/** Compile cache of Node: later processes that load the same files start in half the time. */
export const compiledBefore = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') }

/** Environment for a demo on free ports, without the caller's variables for another product. */
export function toProductEnv(
  dataDir: string,
  extra: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !OWN_VARIABLES.includes(name) && !/^(?:ISOTHERM_(?!REFERENCE)|VITEST|TEST_)/.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    ISOTHERM_PORT: '0',
    ISOTHERM_MQTT_PORT: '0',
    ISOTHERM_DATA: dataDir,
    // Tests of the season ask for it; the others need the machine for themselves.
    ISOTHERM_SEASON_DAYS: '0',
    ...extra,
  }
}

/** Runs the command behind `npm start`; without `npm`, so that a signal reaches the product. */
export function spawnLauncher(env: NodeJS.ProcessEnv, command = 'demo'): ChildProcess {
  return spawn(process.execPath, [join(root, 'apps/launcher/src/main.ts'), command], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Collects the output of a process. */
export function gatherOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (part: string) => {
      text += part
    })
  }
  return () => text
}

const ADDRESS = /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/

/**
 * Starts the whole product like a new user, on free ports, and waits until it is ready.
 * @throws if it ends, or is not ready within three minutes; the message contains its output
 */
export async function startProduct({
  dataDir,
  env,
  command,
  isCold = false,
}: ProductOptions = {}): Promise<Product> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'isotherm-product-'))
  const started = performance.now()
  const child = spawnLauncher(toProductEnv(folder, { ...(isCold ? {} : compiledBefore), ...env }), command)
  const output = gatherOutput(child)
  const ended = once(child, 'exit').then(() => undefined)
  const removeFolder = (): void => {
    if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
  }
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(timer)
    }
    removeFolder()
    return child.exitCode
  }
  const port = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const found = ADDRESS.exec(output())?.[1]
      if (found) resolve(found)
    })
  })
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('not ready in time')), READY_MS)
  try {
    const found = await Promise.race([port, ended, late])
    if (found === undefined) throw new Error(`ended with ${child.exitCode ?? child.signalCode}`)
    const startS = (performance.now() - started) / 1000
    return { url: `http://127.0.0.1:${found}`, pid: child.pid ?? 0, dataDir: folder, startS, output, stop }
  } catch (cause) {
    await stop()
    throw new Error(`The product did not start. It printed:\n${output()}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}
