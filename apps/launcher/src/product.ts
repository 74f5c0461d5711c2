import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import { startPostgres } from '@isotherm/engines/postgres'
import { findFreePort } from '@isotherm/engines/process-life'
import { z } from 'zod'
import { consoleDist, ensureConsole } from './console/build.ts'
import { startConsoleDev } from './console/dev.ts'
import { type LineSink, openLogFile, openStandardOutput } from './log-file.ts'
import { runNode, startNodeProcess } from './node-process.ts'
import type { Options, ProductCommand } from './options.ts'
import type { StartPart } from './part-supervisor.ts'
import type { Programs } from './places.ts'
import { type Secrets, toSecretEnvironment } from './secrets.ts'
import { findMemory, toHeapOptions } from './server-heap.ts'
import type { Shutdown } from './shutdown.ts'

/** Order of the shutdown: higher layers first, so that no part loses one it depends on. */
const layers = { engines: 1, server: 2, twin: 3, console: 4 } as const
/** Longest time without a line of output while a program starts. In development a watcher outlives the program that failed. */
const SILENT_MS = 600_000
const DEV_SILENT_MS = 120_000
/** The server that listens has its stores and broker within this time. */
const READY_WITHIN_MS = 120_000
/** Folder of the companies' own map files in the data folder; the doctor reads it too. */
const MAP_FOLDER = 'map'

export interface ProductOptions {
  readonly command: ProductCommand
  readonly options: Options
  readonly secrets: Secrets
  readonly programs: Programs
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly startPart: StartPart
  readonly shutdown: Shutdown
  readonly report: LineSink
  /** Called with the URL of an embedded engine as soon as it is known. */
  readonly onEngine: (store: 'DATABASE_URL' | 'CLICKHOUSE_URL', url: string) => Promise<void>
  /** Absent: built and served from its own folder. */
  readonly consoleDir?: string
}

export interface Product {
  readonly url: string
  readonly mqttUrl: string
  readonly timeFactor?: number
  /** URLs of the stores, for commands that work on them. */
  readonly stores: { readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string }
}

const serverReady = z.object({ port: z.number(), mqttPort: z.number().optional() })
const twinReady = z.object({ timeFactor: z.number() })

/** Starts engines, server, console and twin in the order of their dependencies; returns when all are ready. */
export async function startProduct(product: ProductOptions): Promise<Product> {
  const { options, shutdown, command } = product
  const isDemo = command !== 'serve'
  const registryFile = join(options.dataDir, 'demo-registry.json')
  const [databaseUrl, clickhouseUrl] = await Promise.all([
    startDatabase(product),
    startReadings(product),
    isDemo
      ? runNode({
          name: 'the description of the demo company',
          args: [
            product.programs.twin,
            'describe',
            '--out',
            registryFile,
            '--map',
            join(options.dataDir, MAP_FOLDER),
          ],
          env: process.env,
          abort: shutdown.signal,
        })
      : undefined,
    command === 'dev' || product.consoleDir ? undefined : ensureConsole(shutdown.signal, product.report),
  ])
  const stores = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl }
  const serverUrl = await startServer(product, {
    ...stores,
    ...(isDemo ? toDemoSources(product, registryFile) : {}),
  })
  const [url, timeFactor] = await Promise.all([
    command === 'dev' ? startConsoleDev(options, serverUrl.http, shutdown, layers.console) : serverUrl.http,
    isDemo ? startTwin(product, serverUrl.mqtt) : undefined,
  ])
  return { url, mqttUrl: serverUrl.mqtt, stores, ...(timeFactor === undefined ? {} : { timeFactor }) }
}

/** What the server of a demo reads from files: the company, and the forecast of the twin's weather unless another is set. */
function toDemoSources({ options, environment }: ProductOptions, registryFile: string) {
  const forecastFile = resolve(options.dataDir, 'twin', 'forecast.json')
  return {
    ISOTHERM_REGISTRY_FILE: registryFile,
    ISOTHERM_FORECAST_URL: environment.ISOTHERM_FORECAST_URL || pathToFileURL(forecastFile).href,
  }
}

async function startDatabase({ options, secrets, startPart, onEngine }: ProductOptions): Promise<string> {
  if (options.databaseUrl) return options.databaseUrl
  const log = openLog(options, 'postgres')
  let port = 0
  const engine = await startPart(layers.engines, 'postgres', async () => {
    const started = await startPostgres({
      dataDir: join(options.dataDir, 'postgres'),
      port,
      password: secrets.postgres,
      log,
    })
    port = started.port
    return started
  })
  await onEngine('DATABASE_URL', engine.url)
  return engine.url
}

async function startReadings({ options, secrets, startPart, onEngine }: ProductOptions): Promise<string> {
  if (options.clickhouseUrl) return options.clickhouseUrl
  const log = openLog(options, 'clickhouse')
  let port = 0
  const engine = await startPart(layers.engines, 'clickhouse', async () => {
    const started = await startClickhouse({
      dataDir: join(options.dataDir, 'clickhouse'),
      port,
      password: secrets.clickhouse,
      log,
    })
    port = started.port
    return started
  })
  await onEngine('CLICKHOUSE_URL', engine.url)
  return engine.url
}

async function startServer(
  product: ProductOptions,
  stores: Readonly<Record<string, string>>,
): Promise<{ readonly http: string; readonly mqtt: string }> {
  const { options, command, programs, secrets, shutdown } = product
  const inProduction = command === 'serve'
  // In development the console's Vite server has the given port, and the API has a port that stays the same after restarts.
  let port = command === 'dev' ? await findFreePort() : options.port
  let mqttPort = options.mqttPort
  const urls = () => ({
    http: `http://${toVisitable(options.host)}:${port}`,
    mqtt: options.mqttUrl ?? `mqtt://${toVisitable(options.mqttHost)}:${mqttPort}`,
  })
  await product.startPart(layers.server, 'server', async () => {
    const started = await startNodeProcess({
      name: 'the server',
      args: [
        ...(inProduction ? toHeapOptions(findMemory(), product.environment.NODE_OPTIONS) : []),
        ...(command === 'dev' ? ['--watch', '--watch-preserve-output'] : []),
        programs.server,
      ],
      env: {
        ...product.environment,
        ...stores,
        MQTT_URL: options.mqttUrl ?? '',
        ISOTHERM_MODE: inProduction ? 'production' : 'demo',
        ISOTHERM_HOST: options.host,
        ISOTHERM_PORT: String(port),
        ISOTHERM_MQTT_HOST: options.mqttHost,
        ISOTHERM_MQTT_PORT: String(mqttPort),
        ...toSecretEnvironment(secrets, product.environment),
        ISOTHERM_MAP_FOLDER: join(options.dataDir, MAP_FOLDER),
        ...(command === 'dev' ? {} : { ISOTHERM_CONSOLE_DIR: product.consoleDir ?? consoleDist }),
      },
      readyMark: 'ISOTHERM_READY',
      silentMs: command === 'dev' ? DEV_SILENT_MS : SILENT_MS,
      graceMs: 3_500,
      // In production the service manager stores the log.
      log: inProduction ? openStandardOutput() : openLog(options, 'server'),
      report: product.report,
      abort: shutdown.signal,
    })
    const ready = serverReady.parse(started.ready)
    port = ready.port
    mqttPort = ready.mqttPort ?? mqttPort
    return started
  })
  await waitUntilReady(urls().http, shutdown.signal)
  return urls()
}

async function startTwin(product: ProductOptions, mqttUrl: string): Promise<number> {
  const { options, programs, secrets, shutdown, environment } = product
  const log = openLog(options, 'twin')
  const started = await product.startPart(layers.twin, 'twin', () =>
    startNodeProcess({
      name: 'the twin',
      args: [programs.twin],
      env: {
        ...environment,
        MQTT_URL: mqttUrl,
        ISOTHERM_MQTT_SECRET: environment.ISOTHERM_MQTT_SECRET || secrets.mqtt,
        ISOTHERM_DATA: join(options.dataDir, 'twin'),
      },
      readyMark: 'TWIN_READY',
      silentMs: SILENT_MS,
      graceMs: 2_000,
      log,
      report: product.report,
      abort: shutdown.signal,
    }),
  )
  return twinReady.parse(started.ready).timeFactor
}

/** Polls the server until it reports that its stores are available. */
async function waitUntilReady(url: string, abort: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    abort.throwIfAborted()
    const isReady = await fetch(`${url}/readyz`, { signal: abort }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (isReady) return
    if (performance.now() > deadline) throw new Error(`the server at ${url} did not get ready`)
    await delay(50)
  }
}

const openLog = (options: Options, name: string) => openLogFile(join(options.dataDir, 'logs', `${name}.log`))

/** Address of a listener for clients: loopback if it listens on all addresses. */
function toVisitable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
