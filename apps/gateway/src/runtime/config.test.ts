import { expect, test } from 'vitest'
import { readSettings } from './config.ts'

const withUrl = (url: string) =>
  readSettings({
    MQTT_URL: url,
    ISOTHERM_GATEWAY_USER: 'demo/GW-1',
    ISOTHERM_GATEWAY_CERTIFICATE: 'gw.pem',
    ISOTHERM_GATEWAY_KEY: 'gw.key',
    ISOTHERM_GATEWAY_CONFIG: 'gateway.json',
  })

test('a certificate needs a connection with TLS', () => {
  expect(withUrl('mqtt://heat.example:1883')).toEqual({
    kind: 'invalid',
    problems: ['MQTT_URL must begin with mqtts:// or wss:// for a certificate'],
  })
  for (const url of ['mqtts://heat.example:8883', 'wss://heat.example/mqtt'])
    expect(withUrl(url)).toMatchObject({ kind: 'settings', settings: { mqttUrl: url } })
})
