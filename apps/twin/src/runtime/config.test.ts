import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const needed = { MQTT_URL: 'mqtt://127.0.0.1:1883', ISOTHERM_MQTT_SECRET: 'secret' }

it('requires an address and a secret, and has defaults for the others', () => {
  expect(readConfig(needed)).toEqual({
    kind: 'config',
    config: {
      mqttUrl: needed.MQTT_URL,
      mqttSecret: 'secret',
      dataFolder: '.data',
      timeFactor: 60,
      scenario: 'demo',
      seasonDays: 42,
      language: 'zh',
      truthPort: undefined,
    },
  })
})

it('names each invalid variable', () => {
  const outcome = readConfig({ MQTT_URL: 'http://x', ISOTHERM_TIME_FACTOR: '-3' })
  expect(outcome.kind).toBe('invalid')
  if (outcome.kind !== 'invalid') return
  expect(outcome.problems).toHaveLength(3)
  expect(outcome.problems.join('\n')).toMatch(
    /MQTT_URL[\s\S]*ISOTHERM_MQTT_SECRET[\s\S]*ISOTHERM_TIME_FACTOR/,
  )
})

it.each(['0', '0.5', '3601', 'NaN'])('refuses a time factor of %s', (factor) => {
  const outcome = readConfig({ ...needed, ISOTHERM_TIME_FACTOR: factor })
  expect(outcome).toMatchObject({
    kind: 'invalid',
    problems: [expect.stringMatching(/^ISOTHERM_TIME_FACTOR /)],
  })
})

it('ignores an empty variable', () => {
  const outcome = readConfig({ ...needed, ISOTHERM_TIME_FACTOR: '', ISOTHERM_DATA: '' })
  expect(outcome).toMatchObject({ kind: 'config', config: { timeFactor: 60, dataFolder: '.data' } })
})
