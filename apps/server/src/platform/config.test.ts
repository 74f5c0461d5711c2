import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const least = {
  DATABASE_URL: 'postgres://me:hidden@db:5432/isotherm',
  CLICKHOUSE_URL: 'http://me:hidden@ch:8123/isotherm',
  ISOTHERM_MQTT_SECRET: 'hidden-hidden-hidden',
}

test('the least settings give a production server on loopback', () => {
  const config = readConfig(least)
  expect(config).toMatchObject({
    mode: 'production',
    http: { host: '127.0.0.1', port: 8080 },
    mqtt: { port: 1883 },
  })
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ ...least, MQTT_URL: '', ISOTHERM_PORT: '' })).toEqual(readConfig(least))
})

test.each([
  [{ DATABASE_URL: 'hidden' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'http://hidden' }, 'DATABASE_URL'],
  [{ CLICKHOUSE_URL: 'postgres://hidden' }, 'CLICKHOUSE_URL'],
  [{ MQTT_URL: 'http://hidden' }, 'MQTT_URL'],
  [{ ISOTHERM_MODE: 'hidden' }, 'ISOTHERM_MODE'],
  [{ ISOTHERM_PORT: '70000' }, 'ISOTHERM_PORT'],
  [{ ISOTHERM_MQTT_SECRET: 'hidden' }, 'ISOTHERM_MQTT_SECRET'],
  [{ ISOTHERM_MQTT_SECRET: undefined }, 'ISOTHERM_MQTT_SECRET is not set'],
  [{ ISOTHERM_MODE: 'demo', ISOTHERM_HOST: '0.0.0.0' }, 'ISOTHERM_HOST'],
])('%o is refused by name, in one line, without the value', (change, words) => {
  const read = () => readConfig({ ...least, ...change })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(words)
  expect(read).not.toThrow(/hidden|\n/)
})
