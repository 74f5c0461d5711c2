import { exportAlarmLog } from '@isotherm/contract/endpoints/monitoring/alarms'
import { expect, test } from 'vitest'
import { createDownload, type DownloadOptions } from './create-download.ts'

const file = (pieces: readonly string[], name = '%E5%91%8A%E8%AD%A6.csv') =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    }),
    {
      headers: { 'content-disposition': `attachment; filename*=UTF-8''${name}`, 'content-type': 'text/csv' },
    },
  )
const failed = (status: string, code: string) =>
  new Response(JSON.stringify({ message: 'no', status, code, params: {} }))

function createWorld(answers: readonly Response[], recovers = false) {
  const tokens: (string | null)[] = []
  let token = 'old'
  const download = createDownload({
    fetch: async (_, init) => {
      const answer = answers[tokens.length]
      tokens.push(new Headers(init?.headers).get('authorization'))
      if (!answer) throw new TypeError('no line')
      return answer
    },
    findToken: () => token,
    language: () => 'zh',
    describe: (code) => `text of ${code}`,
    recoverSession: async () => {
      token = 'new'
      return recovers
    },
  })
  const get = (options?: DownloadOptions) => download(exportAlarmLog, { format: 'csv' }, options)
  return { get, tokens }
}

test('a download returns the file with its name and reports the number of received bytes', async () => {
  const received: number[] = []
  const { get } = createWorld([file(['ab', 'cde'])])
  const { name, content } = await get({ onBytes: (bytes) => void received.push(bytes) })
  expect(name).toBe('告警.csv')
  expect(await content.text()).toBe('abcde')
  expect(received).toEqual([2, 5])
})

test('a refusal is thrown with its code', async () => {
  await expect(createWorld([failed('400', 'transfer.too-many-rows')]).get()).rejects.toMatchObject({
    code: 'transfer.too-many-rows',
    text: 'no',
  })
})

test('an expired session is renewed, and the download is repeated', async () => {
  const { get, tokens } = createWorld([failed('11', 'session.expired'), file(['x'])], true)
  expect(await (await get()).content.text()).toBe('x')
  expect(tokens).toEqual(['Bearer old', 'Bearer new'])
})

test('a connection that breaks before the end is a failure, not half a file', async () => {
  const broken = new Response(
    new ReadableStream({
      pull(controller) {
        controller.error(new TypeError('broken'))
      },
    }),
    { headers: { 'content-disposition': "attachment; filename*=UTF-8''a.csv" } },
  )
  await expect(createWorld([broken]).get()).rejects.toMatchObject({ code: 'network.failed' })
  await expect(createWorld([]).get()).rejects.toMatchObject({ code: 'network.failed' })
})

test('an answer that is neither a file nor a refusal is malformed', async () => {
  const answer = new Response(JSON.stringify({ message: 'success', status: '200', data: null }))
  await expect(createWorld([answer]).get()).rejects.toMatchObject({ code: 'response.malformed' })
})
