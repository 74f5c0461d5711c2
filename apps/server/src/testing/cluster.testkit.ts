import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import { makeScratchFolder } from '@isotherm/engines/scratch-folder'
import { clickhouseMigrations } from '../modules.ts'
import { type ClickHouseClient, createClickhouse } from '../platform/clickhouse/clickhouse.ch.ts'
import type { ClickhouseCluster } from '../platform/clickhouse/cluster.ts'
import { migrateClickhouse } from '../platform/clickhouse/migrate.ch.ts'
import { processEnvironment } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'

/** A database with the tables of a cluster. */
export interface ClusterStore {
  readonly client: ClickHouseClient
  readonly url: string
  readonly cluster: ClickhouseCluster
  /** All statements that the client sent. */
  readonly statements: readonly string[]
  close(): Promise<void>
}

const log = createLog({ logLevel: 'silent' })

/** A statement as one server without Keeper can run it: there is nobody to replicate with, nor to send it to. */
export const toOneServer = (statement: string): string =>
  statement
    .replace(/ ON CLUSTER \w+/, '')
    .replace(/ENGINE = Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, 'ENGINE = $1(')

/** The same client, whose commands are changed before they are sent, and a list of its statements. */
function observe(client: ClickHouseClient, change: (statement: string) => string) {
  const statements: string[] = []
  const observed = new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name !== 'command' && name !== 'query' && name !== 'exec') return member
      return (params: { readonly query: string }) => {
        statements.push(params.query)
        const query = name === 'command' ? change(params.query) : params.query
        return (member as (changed: object) => unknown).call(target, { ...params, query })
      }
    },
  })
  return { observed, statements }
}

const toConfig = (name: string, shards: number): string => {
  const shard = '<shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>'
  return `<clickhouse><tcp_port>9000</tcp_port>
  <macros><shard>1</shard><replica>a</replica></macros>
  <remote_servers><${name}>${shard.repeat(shards)}</${name}></remote_servers></clickhouse>`
}

/**
 * The embedded engine as a cluster: the tables of the engine Distributed over its own tables, without replicas. With two
 * shards both are the same tables, so a row is found twice unless a query folds it: that only shows that statements run.
 */
export async function startEmbeddedCluster(shards: 1 | 2): Promise<ClusterStore> {
  const cluster = { name: 'heat', database: 'isotherm' }
  const folder = makeScratchFolder('isotherm-cluster-')
  const configFile = join(folder, 'cluster.xml')
  await writeFile(configFile, toConfig(cluster.name, shards))
  const engine = await startClickhouse({ dataDir: join(folder, 'data'), port: 0, password: 'x', configFile })
  // The shards are in this process and listen on no port.
  const url = `${engine.url}?clickhouse_setting_prefer_localhost_replica=1`
  const own = createClickhouse({ clickhouseUrl: url, clickhouseCluster: cluster })
  const { observed, statements } = observe(own, toOneServer)
  await migrateClickhouse(observed, clickhouseMigrations, log)
  return {
    client: observed,
    url,
    cluster,
    statements,
    async close() {
      await own.close()
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** URL and cluster of the environment (CLICKHOUSE_URL, ISOTHERM_CLICKHOUSE_CLUSTER); undefined without them. */
export function findRealCluster(): { readonly url: string; readonly name: string } | undefined {
  const { CLICKHOUSE_URL: url, ISOTHERM_CLICKHOUSE_CLUSTER: name } = processEnvironment()
  return url && name ? { url, name } : undefined
}

/** A new database on all servers of a real cluster. */
export async function createOnCluster(real: {
  readonly url: string
  readonly name: string
}): Promise<ClusterStore> {
  const database = `test_${randomBytes(6).toString('hex')}`
  const admin = createClickhouse({ clickhouseUrl: real.url })
  await admin.command({ query: `CREATE DATABASE ${database} ON CLUSTER ${real.name}` })
  const url = Object.assign(new URL(real.url), { pathname: `/${database}` }).href
  const cluster = { name: real.name, database }
  const own = createClickhouse({ clickhouseUrl: url, clickhouseCluster: cluster })
  const { observed, statements } = observe(own, (statement) => statement)
  await migrateClickhouse(observed, clickhouseMigrations, log)
  return {
    client: observed,
    url,
    cluster,
    statements,
    async close() {
      await own.close()
      await admin.command({ query: `DROP DATABASE ${database} ON CLUSTER ${real.name} SYNC` })
      await admin.close()
    },
  }
}
