import type { z } from 'zod'
import { type Config, ConfigError, environment, toConfigLine } from '../config.ts'
import { backupEnvironment, toBackupConfig } from './backup.ts'
import { type ClickhouseConfig, findClusterFault, toClickhouse } from './clickhouse.ts'

/** The configuration of a tool that only uses the database. Throws ConfigError. */
export function databaseConfig(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Config, 'databaseUrl'> {
  const parsed = environment.pick({ DATABASE_URL: true }).safeParse(env)
  if (!parsed.success) throw new ConfigError('DATABASE_URL is not set to a PostgreSQL URL')
  return { databaseUrl: parsed.data.DATABASE_URL }
}

/** The configuration of the tools that copy both stores. */
export type StoresConfig = ClickhouseConfig &
  Pick<Config, 'databaseUrl' | 'backup'> & {
    readonly mqttSecret: string
    /** Absent: second factors are encrypted with a key from the MQTT secret. */
    readonly factorSecret?: string | undefined
  }

const storeVariables = environment
  .pick({
    DATABASE_URL: true,
    CLICKHOUSE_URL: true,
    ISOTHERM_CLICKHOUSE_CLUSTER: true,
    ISOTHERM_MQTT_SECRET: true,
    ISOTHERM_FACTOR_SECRET: true,
  })
  .extend(backupEnvironment)

/** The configuration of a tool that copies both stores. Throws ConfigError. */
export function storesConfig(env: Readonly<Record<string, string | undefined>>): StoresConfig {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = storeVariables.safeParse(present)
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => toConfigLine(issue, present)).join('; '))
  const read: z.infer<typeof storeVariables> = parsed.data
  const fault = findClusterFault(read)
  if (fault !== undefined) throw new ConfigError(fault)
  return {
    databaseUrl: read.DATABASE_URL,
    ...toClickhouse(read),
    mqttSecret: read.ISOTHERM_MQTT_SECRET,
    factorSecret: read.ISOTHERM_FACTOR_SECRET,
    backup: toBackupConfig(read),
  }
}
