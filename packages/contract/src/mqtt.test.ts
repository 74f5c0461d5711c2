import { expect, test } from 'vitest'
import { parseUpTopic, toDownTopic, toUpTopic, upChannels } from './mqtt.ts'

test.each(upChannels)('an up topic of channel %s is read back', (channel) => {
  expect(parseUpTopic(toUpTopic('demo', '860000000000017', channel))).toEqual({
    tenant: 'demo',
    gateway: '860000000000017',
    channel,
  })
})

test.each([
  toDownTopic('demo', 'n1', 'cmd'),
  'hx/v1/demo/n1/up/other',
  'hx/v2/demo/n1/up/telemetry',
  'hx/v1/demo//up/telemetry',
  'hx/v1/de mo/n1/up/telemetry',
  'hx/v1/demo/n1/up/telemetry/x',
])('%s is not an up topic', (topic) => {
  expect(parseUpTopic(topic)).toBeUndefined()
})
