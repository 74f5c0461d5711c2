import type { ScanProgress } from '@isotherm/contract/mqtt'
import { expect, test } from 'vitest'
import type { ExchangeOutcome } from '../exchanger.ts'
import { createLineScan } from './line-scan.ts'

test('a search that was stopped during a step reports nothing more', async () => {
  const said: ScanProgress[] = []
  const answer = Promise.withResolvers<ExchangeOutcome>()
  const scan = createLineScan({ timeOutMs: 100, wake: () => undefined, onFound: () => false })
  const running = scan.start({
    method: 'cjt188',
    until: Number.MAX_SAFE_INTEGER,
    onProgress: (progress) => said.push(progress),
  })
  const step = scan.step({
    exchange: () => answer.promise,
    receive: () => undefined,
    close: () => undefined,
    strayFrames: 0,
  })
  running?.stop()
  answer.resolve({ kind: 'silence', hasNoise: false })
  await step
  expect(await running?.ended).toBe('stopped')
  expect(said).toEqual([])
})
