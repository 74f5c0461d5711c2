import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLine } from '../line.ts'
import { answerOnBus, simulateMbusMeter } from '../simulated-devices.testkit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a meter that a poll selected between two steps does not answer in place of others', async () => {
  const devices = [{ serial: 'M1', address: '10000000', profile: 'heat-meter-mbus', pollPeriodS: 2 }]
  const config = gatewayConfig.parse({
    v: 1,
    dtu: { port: 9_000 },
    lines: [{ driver: 'dtu-tcp', id: 'L1', registration: '867725030000017', devices }],
  })
  const [resolved] = resolveGatewayConfig(config).lines
  if (!resolved) throw new Error('no line')
  const meters = ['10000000', '50000000', '90000000'].map((id) => simulateMbusMeter(id))
  const found: string[] = []
  let polls = 0
  const line = createLine(resolved, {
    meterZoneMin: config.meterZoneMin,
    firstTimeOutMs: 500,
    now: Date.now,
    findMark: () => undefined,
    onReadings: () => polls++,
    onUnknownDevice: ({ address }) => found.push(address),
  })
  line.opened({
    send(bytes) {
      const answer = answerOnBus(meters, bytes)
      if (answer) setTimeout(() => line.received(answer), 20)
    },
  })
  let requested = 0
  const running = line.scan?.({
    method: 'mbus-secondary',
    until: Date.now() + 3_600_000,
    onProgress: (progress) => {
      requested = progress.requested
    },
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await Promise.race([running?.ended, 'goes on'])).toBe('done')
  expect(found).toEqual(['50000000', '90000000'])
  expect([requested, polls > 3]).toEqual([11, true])
  line.close()
})
