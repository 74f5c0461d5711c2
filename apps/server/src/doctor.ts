import { join, resolve } from 'node:path'
import { coreMigrations } from './core.ts'
import { checkMapFiles } from './modules/map/index.ts'
import { clickhouseMigrations, laterMigrations } from './modules.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, ConfigError, processEnvironment, readConfig } from './platform/config.ts'
import { checkBroker } from './platform/doctor/check-broker.mqtt.ts'
import { checkBrokerPorts, checkTlsFiles } from './platform/doctor/check-broker-tls.ts'
import { checkCell } from './platform/doctor/check-cell.pg.ts'
import { checkDatabase } from './platform/doctor/check-database.pg.ts'
import {
  checkBackups,
  checkFolder,
  checkSecretFile,
  checkSecrets,
  checkSpace,
} from './platform/doctor/check-folders.ts'
import { checkCertificate, checkServer } from './platform/doctor/check-listeners.ts'
import { checkNames } from './platform/doctor/check-names.ts'
import { checkReadings } from './platform/doctor/check-readings.ch.ts'
import { type Finding, fault, ok, toReason } from './platform/doctor/finding.ts'
import { readVersion } from './read-version.ts'

/** Values of what is not created yet; nobody answers at these addresses. */
const absent = {
  DATABASE_URL: 'postgres://none@127.0.0.1:1/none',
  CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
  ISOTHERM_MQTT_SECRET: 'created at the first start',
}

type Check = () => Promise<Finding | readonly Finding[] | undefined>

function checkTimeZone({ history }: Config): Finding {
  const options = { timeZone: history.timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  const shown = new Intl.DateTimeFormat('en-GB', options).format(systemClock.now())
  return ok(`time zone of the plant: ${history.timeZone}, where it is ${shown}`)
}

/** Addresses with TLS that the settings name. */
const listTlsAddresses = (config: Config): readonly (readonly [string, string])[] =>
  Object.entries({
    'the broker': config.mqtt.url,
    ClickHouse: config.clickhouseUrl,
    'the console': config.oidc?.redirectUri,
    'the OpenID Connect provider': config.oidc?.issuer,
  }).flatMap(([name, url]) => (url && /^(?:https|mqtts):/.test(url) ? [[name, url] as const] : []))

function listChecks(config: Config, env: Readonly<Record<string, string | undefined>>): readonly Check[] {
  const dataDir = resolve(env.ISOTHERM_DATA || '.data')
  const { backup } = config
  const backupFolder = backup.folder === undefined ? [] : [resolve(backup.folder)]
  const { keyFile } = backup
  const notYet = (name: string) => [ok(`${name}: not created yet; the first start creates it`)]
  return [
    async () => ok(`program: version ${await readVersion()}`),
    () => checkSpace('data folder', dataDir),
    () => checkFolder('data folder', dataDir),
    () => checkSecrets(dataDir),
    () => checkMapFiles(join(dataDir, 'map')),
    ...backupFolder.flatMap((folder): Check[] => [
      () => checkSpace('backups', folder),
      () => checkFolder('backups', folder),
    ]),
    async () => (keyFile === undefined ? undefined : checkSecretFile('key of the backups', keyFile)),
    // Before the first start there is nothing in the folder of the backups, and nothing to back up.
    async () =>
      env.DATABASE_URL || backup.folder === undefined
        ? checkBackups({ ...backup, folder: backupFolder[0] }, systemClock.now())
        : undefined,
    () => checkNames(config, systemClock),
    async () =>
      env.DATABASE_URL
        ? checkDatabase(config.databaseUrl, [...coreMigrations, ...laterMigrations], systemClock)
        : notYet('PostgreSQL'),
    async () => (env.DATABASE_URL && config.cell ? checkCell(config.databaseUrl, config.cell) : undefined),
    async () =>
      env.CLICKHOUSE_URL ? checkReadings(config, clickhouseMigrations, systemClock) : notYet('ClickHouse'),
    () =>
      config.mqtt.url === undefined
        ? checkBrokerPorts(config.mqtt, config.http)
        : checkBroker(config.mqtt.url, config.cell),
    async () =>
      config.mqtt.url === undefined && config.mqtt.tls
        ? checkTlsFiles(config.mqtt, config.mqtt.tls, systemClock.now())
        : undefined,
    () => checkServer(config.http.host, config.http.port),
    ...listTlsAddresses(config).map(
      ([name, url]): Check =>
        () =>
          checkCertificate(name, url, systemClock.now()),
    ),
    async () => checkTimeZone(config),
  ]
}

/** Runs a check. If it throws, the error becomes a finding and the other checks still run. */
async function run(check: Check): Promise<readonly Finding[]> {
  try {
    const found = await check()
    return found === undefined ? [] : [found].flat()
  } catch (error) {
    return [fault(`a check failed: ${toReason(error)}`, 'see the message')]
  }
}

const marks = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const

function print(findings: readonly Finding[]): void {
  for (const { state, what, repair } of findings) {
    console.log(`${marks[state]}  ${what}`)
    if (repair !== undefined) console.log(`         -> ${repair}`)
  }
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  console.log(`\n${count('fault')} faults, ${count('warning')} warnings, ${count('ok')} fine`)
}

async function examine(): Promise<readonly Finding[]> {
  const env = processEnvironment()
  try {
    const config = readConfig({
      ...env,
      ...Object.fromEntries(Object.entries(absent).filter(([name]) => !env[name])),
    })
    return (await Promise.all(listChecks(config, env).map(run))).flat()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fault(`settings: ${error.message}`, 'see docs/reference/environment.md')]
  }
}

const findings = await examine()
print(findings)
process.exitCode = findings.some(({ state }) => state === 'fault') ? 1 : 0
