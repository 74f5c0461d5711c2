import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const least = {
  DATABASE_URL: 'postgres://me:hidden@db:5432/isotherm',
  CLICKHOUSE_URL: 'http://me:hidden@ch:8123/isotherm',
  ISOTHERM_MQTT_SECRET: 'hidden-hidden-hidden',
}

/** The least settings of the port with TLS. */
const tls = {
  ISOTHERM_MQTT_TLS_PORT: '8883',
  ISOTHERM_MQTT_TLS_CERTIFICATE: 'hidden.pem',
  ISOTHERM_MQTT_TLS_KEY: 'hidden.key',
}

test('the minimal settings give a production server on loopback', () => {
  const config = readConfig(least)
  expect(config).toMatchObject({
    mode: 'production',
    http: { host: '127.0.0.1', port: 8080 },
    mqtt: { port: 1883 },
  })
})

test('a list of tenants names the companies that a server serves, in any order and spelling', () => {
  const cellOf = (tenants: string) => readConfig({ ...least, ISOTHERM_TENANTS: tenants }).cell
  expect(cellOf('south, north,south')?.tenants).toEqual(['north', 'south'])
  expect(cellOf('south,north')).toEqual(cellOf('north,south'))
  expect(cellOf('north')?.name).not.toBe(cellOf('south')?.name)
  expect(cellOf('')).toBeUndefined()
})

test('a cluster of ClickHouse has the database of the URL', () => {
  const clusterOf = (url: string, name: string) =>
    readConfig({ ...least, CLICKHOUSE_URL: url, ISOTHERM_CLICKHOUSE_CLUSTER: name }).clickhouseCluster
  expect(clusterOf('http://ch:8123/plant', 'heat')).toEqual({ name: 'heat', database: 'plant' })
  expect(clusterOf('http://ch:8123', 'heat')).toEqual({ name: 'heat', database: 'default' })
  expect(clusterOf('http://ch:8123/plant', '')).toBeUndefined()
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ ...least, MQTT_URL: '', ISOTHERM_PORT: '' })).toEqual(readConfig(least))
})

test.each([
  [{ DATABASE_URL: 'hidden' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'http://hidden' }, 'DATABASE_URL'],
  [{ CLICKHOUSE_URL: 'postgres://hidden' }, 'CLICKHOUSE_URL'],
  [{ ISOTHERM_CLICKHOUSE_CLUSTER: 'hidden-name' }, 'ISOTHERM_CLICKHOUSE_CLUSTER is not a name'],
  [
    { ISOTHERM_CLICKHOUSE_CLUSTER: 'heat', CLICKHOUSE_URL: 'http://ch:8123/hidden-name' },
    'ISOTHERM_CLICKHOUSE_CLUSTER needs a database in CLICKHOUSE_URL',
  ],
  [{ MQTT_URL: 'http://hidden' }, 'MQTT_URL'],
  [{ ISOTHERM_VERIFICATION_URL: 'ftp://hidden' }, 'ISOTHERM_VERIFICATION_URL'],
  [{ ISOTHERM_MODE: 'hidden' }, 'ISOTHERM_MODE'],
  [{ ISOTHERM_PORT: '70000' }, 'ISOTHERM_PORT'],
  [{ ISOTHERM_TENANTS: ' , ' }, 'ISOTHERM_TENANTS is not a list of tenants'],
  [{ ISOTHERM_TENANTS: 'north,hidden/south' }, 'ISOTHERM_TENANTS is not a list of tenants'],
  [
    { ISOTHERM_TENANTS: Array.from({ length: 501 }, (_, index) => `hidden-of-${index + 10_000}`).join(',') },
    'ISOTHERM_TENANTS is too long',
  ],
  [{ ISOTHERM_TIME_ZONE: 'hidden/zone' }, 'ISOTHERM_TIME_ZONE'],
  [{ ISOTHERM_HEATING_SEASON: '15-11/03-15' }, 'ISOTHERM_HEATING_SEASON'],
  [{ ISOTHERM_KEEP_READINGS_DAYS: '-1' }, 'ISOTHERM_KEEP_READINGS_DAYS'],
  [{ ISOTHERM_KEEP_LOG_DAYS: '179' }, 'ISOTHERM_KEEP_LOG_DAYS is neither 0 nor at least 180'],
  [{ ISOTHERM_MQTT_SECRET: 'hidden' }, 'ISOTHERM_MQTT_SECRET'],
  [{ ISOTHERM_MQTT_TLS_PORT: '8883' }, 'ISOTHERM_MQTT_TLS_PORT needs ISOTHERM_MQTT_TLS_CERTIFICATE'],
  [{ ISOTHERM_MQTT_PLAIN: '0' }, 'ISOTHERM_MQTT_PLAIN=0 needs ISOTHERM_MQTT_TLS_PORT'],
  [{ ...tls, ISOTHERM_MQTT_PLAIN: '0', ISOTHERM_MODE: 'demo' }, 'ISOTHERM_MQTT_PLAIN must be 1 in the demo'],
  [{ ISOTHERM_MQTT_CLIENT_CA: 'ca' }, 'ISOTHERM_MQTT_CLIENT_CA needs ISOTHERM_MQTT_TLS_PORT'],
  [{ ...tls, ISOTHERM_MQTT_CLIENT_CERTIFICATES: 'required' }, 'required needs ISOTHERM_MQTT_CLIENT_CA'],
  [{ ...tls, ISOTHERM_MQTT_CLIENT_CRL: 'crl' }, 'ISOTHERM_MQTT_CLIENT_CRL needs ISOTHERM_MQTT_CLIENT_CA'],
  [{ ISOTHERM_FACTOR_SECRET: 'hidden' }, 'ISOTHERM_FACTOR_SECRET'],
  [
    { ISOTHERM_HTTPS_ONLY: '1' },
    'ISOTHERM_HTTPS_ONLY=1 needs the proxy with TLS in ISOTHERM_TRUSTED_PROXIES',
  ],
  [{ ISOTHERM_LOG_FORWARD: 'https://hidden' }, 'ISOTHERM_LOG_FORWARD is not a syslog+tls URL'],
  [{ ISOTHERM_LOG_FORWARD: 'syslog+tls://' }, 'ISOTHERM_LOG_FORWARD names no host'],
  [{ ISOTHERM_LOG_FORWARD: 'syslog+tls://:6514' }, 'ISOTHERM_LOG_FORWARD'],
  [{ ISOTHERM_MQTT_SECRET: undefined }, 'ISOTHERM_MQTT_SECRET is not set'],
  [{ ISOTHERM_MODE: 'demo', ISOTHERM_HOST: '0.0.0.0' }, 'ISOTHERM_HOST'],
  [{ ISOTHERM_COMPANY_TITLE: ' ' }, 'ISOTHERM_COMPANY_TITLE is blank'],
  [{ ISOTHERM_COMPANY_LOGO: 'hidden.svg' }, 'ISOTHERM_COMPANY_LOGO needs ISOTHERM_COMPANY_TITLE'],
  ...['https://hidden.example', 'hidden.example:443', 'me@hidden.example', '.', '.10.0.0.1', '[hidden'].map(
    (hosts) =>
      [{ ISOTHERM_ALARM_HOSTS: hosts }, 'ISOTHERM_ALARM_HOSTS is not a list of hosts'] as [
        Record<string, string | undefined>,
        string,
      ],
  ),
  [{ ISOTHERM_SIDEBAR_LOGO: '3' }, 'ISOTHERM_SIDEBAR_LOGO is not 0, 1 or 2'],
  ...[
    '*',
    'hidden.example',
    'https://hidden.example/',
    'https://hidden.example:443',
    'https://HIDDEN.example',
    "https://hidden.example;script-src'unsafe-inline'",
    'https://hidden.example https://b.example',
    'ftp://hidden.example',
    'https://*.hidden.example',
    'https://a.example,javascript:hidden',
    'null',
  ].map((origins): [Record<string, string>, string] => [
    { ISOTHERM_FRAME_ORIGINS: origins },
    'ISOTHERM_FRAME_ORIGINS is not a list of origins',
  ]),
  [
    { ISOTHERM_ICON_ORIGINS: "https://hidden.example;script-src'unsafe-inline'" },
    'ISOTHERM_ICON_ORIGINS is not a list of origins',
  ],
  ...[
    'https://hidden.example/{z}/{x}.png',
    '/hidden/{z}/{x}/{y}',
    'ftp://hidden.example/{z}/{x}/{y}',
    'https://{z}.hidden.example/{x}/{y}',
    "https://hidden.example;script-src'unsafe-inline'/{z}/{x}/{y}",
  ].map((tiles): [Record<string, string>, string] => [
    { ISOTHERM_MAP_TILES: tiles },
    'ISOTHERM_MAP_TILES is no http(s) address with {z}, {x} and {y}',
  ]),
  [{ ISOTHERM_MAP_TILES_COORDINATES: 'hidden' }, 'ISOTHERM_MAP_TILES_COORDINATES'],
])('%o is refused by name, in one line, without the value', (change, words) => {
  const read = () => readConfig({ ...least, ...change })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(words)
  expect(read).not.toThrow(/hidden|\n/)
})

test('by default no site may frame the console, and it has the default title', () => {
  const { http, console } = readConfig(least)
  expect([http.frameOrigins, console]).toEqual([[], { sidebarLogo: 1 }])
})

test('§2 An icon is external if it starts with http: from no other site unless its origin is named', () => {
  expect(readConfig(least).http.iconOrigins).toEqual([])
  const ISOTHERM_ICON_ORIGINS = 'https://icons.example.com, http://10.0.0.8:8081'
  expect(readConfig({ ...least, ISOTHERM_ICON_ORIGINS }).http.iconOrigins).toEqual([
    'https://icons.example.com',
    'http://10.0.0.8:8081',
  ])
})

test('hosts of alarm targets are listed as URLs name them', () => {
  const hosts = 'Alarm.Example, .B.example,[FD00:0:0::1],fd00:0::2,10.0.0.1,热力.example'
  expect(readConfig({ ...least, ISOTHERM_ALARM_HOSTS: hosts }).notices.targetHosts).toEqual([
    'alarm.example',
    '.b.example',
    'fd00::1',
    'fd00::2',
    '10.0.0.1',
    'xn--tfr981e.example',
  ])
})

test('origins that may frame the console are separated by commas', () => {
  const ISOTHERM_FRAME_ORIGINS = 'https://portal.example.com, http://10.0.0.8:8081'
  expect(readConfig({ ...least, ISOTHERM_FRAME_ORIGINS }).http.frameOrigins).toEqual([
    'https://portal.example.com',
    'http://10.0.0.8:8081',
  ])
})

test('without tiles the map has a plain background; with tiles their origin is allowed', () => {
  expect(readConfig(least)).toMatchObject({ mapTiles: undefined, http: { tileOrigins: [] } })
  const settings = {
    ISOTHERM_MAP_TILES: 'https://tiles.example.com:8443/{z}/{x}/{y}.png?tk=k',
    ISOTHERM_MAP_TILES_COORDINATES: 'gcj02',
    ISOTHERM_MAP_TILES_ATTRIBUTION: 'Example',
    ISOTHERM_MAP_TILES_MAX_ZOOM: '17',
  }
  const { mapTiles, http } = readConfig({ ...least, ...settings })
  expect(http.tileOrigins).toEqual(['https://tiles.example.com:8443'])
  expect(mapTiles).toEqual({
    url: settings.ISOTHERM_MAP_TILES,
    coordinates: 'gcj02',
    attribution: 'Example',
    maxZoom: 17,
  })
})

test('second factors survive another MQTT secret only with a secret of their own', () => {
  expect(readConfig(least).factorSecret).toBe(least.ISOTHERM_MQTT_SECRET)
  const ISOTHERM_FACTOR_SECRET = 'of second factors'
  const rotated = { ...least, ISOTHERM_MQTT_SECRET: 'another-hidden-secret' }
  expect(readConfig({ ...rotated, ISOTHERM_FACTOR_SECRET }).factorSecret).toBe(ISOTHERM_FACTOR_SECRET)
})
