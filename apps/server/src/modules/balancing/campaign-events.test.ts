import { expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { createTestClock } from '../../testing/core.testkit.ts'
import { type CampaignUpdate, createCampaignEvents } from './campaign-events.ts'

const toUpdate = (id: number): CampaignUpdate => ({
  progress: { id, node: '1', version: 1, state: 'executing', round: 1, moves: 4, moved: 1 },
  path: '/1/',
})

/** Progress events of campaigns 1 and 2, of which only 2 is open; the test sends the signals. */
function createBench() {
  const clock = createTestClock()
  let signal: (payload: string | undefined) => void = () => undefined
  let fails = 0
  const queries: (readonly number[] | undefined)[] = []
  const published: number[] = []
  const events = createCampaignEvents({
    clock,
    log: createLog({ logLevel: 'silent' }),
    signals: {
      listen(_, listener) {
        signal = listener
        return () => undefined
      },
    },
    async find(ids) {
      queries.push(ids)
      if (fails-- > 0) throw new Error('no connection')
      return (ids ?? [2]).map(toUpdate)
    },
  })
  const stop = events.onCampaign(({ progress }) => published.push(progress.id))
  const wait = async (): Promise<void> => {
    clock.advance(500)
    await events.settle()
  }
  return {
    send: (payload?: string) => signal(payload),
    wait,
    stop,
    events,
    queries,
    published,
    fail: () => (fails = 1),
  }
}

test('several changes of a campaign within half a second are one event with the newest progress', async () => {
  const { send, wait, queries, published } = createBench()
  for (const id of ['1', '2', '1', '1']) send(id)
  expect(queries).toEqual([])
  await wait()
  expect(queries).toEqual([[1, 2]])
  expect(published).toEqual([1, 2])
  send('1')
  await wait()
  expect(published).toEqual([1, 2, 1])
})

test('after lost signals every open campaign is published', async () => {
  const { send, wait, queries, published } = createBench()
  send('1')
  send()
  await wait()
  expect(queries).toEqual([[1], undefined])
  expect(published).toEqual([1, 2])
})

test('a failed query is repeated half a second later', async () => {
  const { send, wait, published, fail } = createBench()
  fail()
  send('1')
  await wait()
  expect(published).toEqual([])
  await wait()
  expect(published).toEqual([1])
})

test('without listeners no query runs', async () => {
  const { send, wait, stop, queries } = createBench()
  stop()
  send('1')
  await wait()
  expect(queries).toEqual([])
})
