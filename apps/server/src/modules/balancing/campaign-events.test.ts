import { expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { createTestClock } from '../../testing/core.testkit.ts'
import { type CampaignUpdate, createCampaignEvents } from './campaign-events.ts'

const toUpdate = (id: number): CampaignUpdate => ({
  progress: { id, node: '1', version: 1, state: 'executing', round: 1, moves: 4, moved: 1 },
  path: '/1/',
})

/** News whose signals a test sends, of campaigns 1 and 2, of which only 2 has not ended. */
function createBench() {
  const clock = createTestClock()
  let signal: (payload: string | undefined) => void = () => undefined
  let fails = 0
  const asked: (readonly number[] | undefined)[] = []
  const told: number[] = []
  const news = createCampaignEvents({
    clock,
    log: createLog({ logLevel: 'silent' }),
    signals: {
      listen(_, heard) {
        signal = heard
        return () => undefined
      },
    },
    async find(ids) {
      asked.push(ids)
      if (fails-- > 0) throw new Error('no connection')
      return (ids ?? [2]).map(toUpdate)
    },
  })
  const stop = news.onCampaign(({ progress }) => told.push(progress.id))
  const wait = async (): Promise<void> => {
    clock.advance(500)
    await news.settle()
  }
  return {
    send: (payload?: string) => signal(payload),
    wait,
    stop,
    news,
    asked,
    told,
    fail: () => (fails = 1),
  }
}

test('however often a campaign changes within half a second, it is told of once, as it stands then', async () => {
  const { send, wait, asked, told } = createBench()
  for (const id of ['1', '2', '1', '1']) send(id)
  expect(asked).toEqual([])
  await wait()
  expect(asked).toEqual([[1, 2]])
  expect(told).toEqual([1, 2])
  send('1')
  await wait()
  expect(told).toEqual([1, 2, 1])
})

test('when signals were lost, every campaign that has not ended is told of', async () => {
  const { send, wait, asked, told } = createBench()
  send('1')
  send()
  await wait()
  expect(asked).toEqual([[1], undefined])
  expect(told).toEqual([1, 2])
})

test('what could not be looked up is told of half a second later', async () => {
  const { send, wait, told, fail } = createBench()
  fail()
  send('1')
  await wait()
  expect(told).toEqual([])
  await wait()
  expect(told).toEqual([1])
})

test('while nobody listens nothing is looked up', async () => {
  const { send, wait, stop, asked } = createBench()
  stop()
  send('1')
  await wait()
  expect(asked).toEqual([])
})
