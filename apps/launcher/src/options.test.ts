import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readCommand, readOptions } from './options.ts'

test('no variable is required', () => {
  expect(readOptions('demo', {})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    mqttHost: '127.0.0.1',
    mqttPort: 1883,
    isMqttPlain: true,
    dataDir: resolve('.data'),
  })
})

test('an empty variable counts as absent, and 0 as any free port', () => {
  const read = readOptions('demo', { ISOTHERM_PORT: '0', ISOTHERM_MQTT_PORT: '', DATABASE_URL: '' })
  expect(read).toMatchObject({ port: 0, mqttPort: 1883 })
  expect(read).not.toHaveProperty('databaseUrl')
})

test('the demo and development listen on loopback, only production may be public', () => {
  const env = { ISOTHERM_HOST: '0.0.0.0' }
  expect(readOptions('demo', env)).toMatchObject({ host: '127.0.0.1', mqttHost: '127.0.0.1' })
  expect(readOptions('dev', env)).toMatchObject({ host: '127.0.0.1', mqttHost: '127.0.0.1' })
  expect(readOptions('serve', env)).toMatchObject({ host: '0.0.0.0', mqttHost: '0.0.0.0' })
  expect(readOptions('serve', { ...env, ISOTHERM_MQTT_HOST: '10.0.0.5' }).mqttHost).toBe('10.0.0.5')
})

test.each([
  [{ ISOTHERM_PORT: 'eighty' }, 'ISOTHERM_PORT is not a port from 0 to 65535'],
  [{ ISOTHERM_MQTT_PORT: '70000' }, 'ISOTHERM_MQTT_PORT is not a port from 0 to 65535'],
  [{ DATABASE_URL: 'mysql://u:secret@h/d' }, 'DATABASE_URL is not a postgres/postgresql URL'],
  [{ CLICKHOUSE_URL: 'secret' }, 'CLICKHOUSE_URL is not a http/https URL'],
])('%j is refused in one line that repeats no value', (env, line) => {
  expect(() => readOptions('demo', env)).toThrow(line)
})

test('a command is one of the known ones, by default demo', () => {
  expect(readCommand([])).toBe('demo')
  expect(readCommand(['serve'])).toBe('serve')
  expect(() => readCommand(['server'])).toThrow('there is no command server')
})
