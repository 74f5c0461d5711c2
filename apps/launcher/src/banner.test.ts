import { expect, test } from 'vitest'
import { toBanner } from './banner.ts'

const facts = { url: 'http://127.0.0.1:8080', mode: 'production', dataDir: '/data', startS: 3.21 } as const

test('the banner shows the broker without its user and password', () => {
  const banner = toBanner({ ...facts, mqttUrl: 'mqtts://isotherm:s3cret@broker.example:8883' })
  expect(banner).toContain('mqtts://broker.example:8883')
  expect(banner).not.toMatch(/s3cret|isotherm:/)
})

test('an address without them is shown as it was given', () => {
  expect(toBanner({ ...facts, mqttUrl: 'mqtt://127.0.0.1:1883' })).toContain('mqtt://127.0.0.1:1883\n')
})
