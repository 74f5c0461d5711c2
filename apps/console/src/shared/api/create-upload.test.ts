import { uploadTransfer } from '@isotherm/contract/endpoints/devices/transfer'
import { expect, test } from 'vitest'
import { createUpload } from './create-upload.ts'

const transfer = {
  id: 3,
  kind: 'registry',
  version: 1,
  state: 'uploaded',
  done: 0,
  total: 0,
  failed: 0,
  fileName: '甲.xlsx',
  sizeBytes: 2,
  dryRun: false,
  added: 0,
  changed: 0,
  unchanged: 0,
  createdAt: 1,
  abilities: [],
}
const success = () => new Response(JSON.stringify({ message: 'success', status: '200', data: transfer }))
const failed = (code: string, status = '2001') =>
  new Response(JSON.stringify({ message: 'no', status, code, params: {} }))

function createWorld(answers: readonly Response[], recovers = false) {
  const sent: { url: string; token: string | null; body: unknown }[] = []
  let token = 'old'
  const upload = createUpload({
    fetch: async (url, init) => {
      const answer = answers[sent.length]
      sent.push({
        url: String(url),
        token: new Headers(init?.headers).get('authorization'),
        body: init?.body,
      })
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
  const file = new Blob(['PK'])
  return { send: () => upload(uploadTransfer, { fileName: '甲.xlsx' }, file), sent, file }
}

test('the file is the body, and the input is in the query', async () => {
  const { send, sent, file } = createWorld([success()])
  expect(await send()).toEqual(transfer)
  expect(sent).toEqual([
    {
      url: '/ht-api/api/Transfer/UploadTransfer?fileName=%E7%94%B2.xlsx',
      token: 'Bearer old',
      body: file,
    },
  ])
})

test('a refusal is thrown with its code', async () => {
  const { send } = createWorld([failed('transfer.unreadable')])
  await expect(send()).rejects.toMatchObject({ code: 'transfer.unreadable', text: 'no' })
})

test('after the session was renewed, the file is sent again', async () => {
  const { send, sent } = createWorld([failed('session.expired', '11'), success()], true)
  await send()
  expect(sent.map(({ token }) => token)).toEqual(['Bearer old', 'Bearer new'])
})

test('without a connection the failure is one of the network', async () => {
  await expect(createWorld([]).send()).rejects.toMatchObject({ code: 'network.failed' })
})
